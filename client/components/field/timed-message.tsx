import { type ReactNode, useEffect, useState } from 'react';

interface TimedMessageProps {
  /** How long the message stays, in milliseconds. */
  ms: number;
  children: ReactNode;
  /** Shown afterwards. */
  after?: ReactNode;
}

/** Renders a message for a time. */
export function TimedMessage({ ms, children, after = null }: TimedMessageProps) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return over ? after : children;
}

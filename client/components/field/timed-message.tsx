import type { ReactNode } from 'react';
import { useElapsed } from '#client/hooks/use-elapsed.ts';

interface TimedMessageProps {
  /** How long the message stays, in milliseconds. */
  ms: number;
  children: ReactNode;
  /** Shown afterwards. */
  after?: ReactNode;
}

/** Renders a message for a time, in an element of its own, as `Phrase` does. */
export function TimedMessage({ ms, children, after = null }: TimedMessageProps) {
  return useElapsed('shown', ms) ? after : <span>{children}</span>;
}

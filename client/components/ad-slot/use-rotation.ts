import { useEffect, useRef, useState } from 'react';
import { useAutoplayAllowed } from '#client/hooks/use-autoplay-allowed.ts';

/** Time between an advertisement's fade-out and the next one's fade-in (specification, section 4). */
const FADE_GAP_MS = 200;

interface RotatedItem {
  image: string;
  /** How long it shows. */
  seconds: number;
}

/**
 * Rotates through `items`: each shows for its seconds, fades out, and after `FADE_GAP_MS` the next one fades in. `area`:
 * the element that must be in view and unattended. `next`: the item to preload, null while nothing moves.
 */
export function useRotation(items: readonly RotatedItem[]) {
  const area = useRef<HTMLDivElement>(null);
  const autoplayAllowed = useAutoplayAllowed(area);
  const [index, setIndex] = useState(0);
  const [fading, setFading] = useState(false);
  const [paused, setPaused] = useState(false);
  const seconds = items[index % items.length]?.seconds ?? 0;
  const running = items.length > 1 && autoplayAllowed && !paused;

  useEffect(() => {
    if (!running || fading) return;
    const timer = setTimeout(() => setFading(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [running, fading, seconds]);

  useEffect(() => {
    if (!fading) return;
    const timer = setTimeout(() => {
      setIndex((current) => (current + 1) % items.length);
      setFading(false);
    }, FADE_GAP_MS);
    return () => clearTimeout(timer);
  }, [fading, items.length]);

  const next = running ? (items[(index + 1) % items.length] ?? null) : null;
  return { index, fading, paused, toggle: () => setPaused((current) => !current), area, next };
}

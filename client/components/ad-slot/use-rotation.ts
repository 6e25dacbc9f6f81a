import { useEffect, useRef, useState } from 'react';
import { useAutoplayAllowed } from '#client/hooks/use-autoplay-allowed.ts';

/** Between one advertisement's fading out and the next one's fading in (specification, section 4). */
export const FADE_GAP_MS = 200;

interface Turn {
  image: string;
  seconds: number;
}

/** Whose turn it is: each shows for its seconds, fades out, and after the gap the next one fades in, in a circle. */
export function useRotation(turns: readonly Turn[]) {
  const area = useRef<HTMLElement>(null);
  const mayMove = useAutoplayAllowed(area);
  const [index, setIndex] = useState(0);
  const [fading, setFading] = useState(false);
  const [paused, setPaused] = useState(false);
  const seconds = turns[index % turns.length]?.seconds ?? 0;
  const runs = turns.length > 1 && mayMove && !paused;

  useEffect(() => {
    if (!runs || fading) return;
    const timer = setTimeout(() => setFading(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [runs, fading, seconds]);

  useEffect(() => {
    if (!fading) return;
    const timer = setTimeout(() => {
      setIndex((current) => (current + 1) % turns.length);
      setFading(false);
    }, FADE_GAP_MS);
    return () => clearTimeout(timer);
  }, [fading, turns.length]);

  // The next picture is fetched before its turn comes, and not at all while nothing moves.
  const next = runs ? (turns[(index + 1) % turns.length] ?? null) : null;
  return { index, fading, paused, toggle: () => setPaused((current) => !current), area, next };
}

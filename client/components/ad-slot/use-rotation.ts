import { useEffect, useState } from 'react';
import { useAutoplay } from '#client/hooks/use-autoplay.ts';
import type { Advertisement } from '#shared/models/advertisement.ts';

/** Time between an advertisement's fade-out and the next one's fade-in (specification, section 4). */
const FADE_GAP_MS = 200;

/**
 * Rotates through `items`: each shows for its seconds, fades out, and after `FADE_GAP_MS` the next one fades in.
 * `next`: the item to preload, null while nothing moves.
 */
export function useRotation(items: readonly Pick<Advertisement, 'image' | 'seconds'>[]) {
  const { playing, ...autoplay } = useAutoplay<HTMLDivElement>();
  const [index, setIndex] = useState(0);
  const [fading, setFading] = useState(false);
  const seconds = items[index % items.length]?.seconds ?? 0;
  const running = items.length > 1 && playing;

  useEffect(() => {
    if (!running && !fading) return;
    const timer = setTimeout(
      () => {
        if (fading) setIndex((current) => current + 1);
        setFading(!fading);
      },
      fading ? FADE_GAP_MS : seconds * 1000,
    );
    return () => clearTimeout(timer);
  }, [running, fading, seconds]);

  const next = running ? (items[(index + 1) % items.length] ?? null) : null;
  return { ...autoplay, index, fading, next };
}

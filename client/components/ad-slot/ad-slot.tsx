import { useEffect } from 'react';
import type { Advertisement, AdSlot as Slot } from '#shared/models/advertisement.ts';
import { imageSources } from '#shared/urls.ts';
import { PauseButton } from '../pause-button/pause-button.tsx';
import './ad-slot.css';
import { useRotation } from './use-rotation.ts';

/** Per slot, in pixels: the width of its `src` (specification, section 9), and the size that reserves its space. */
const SLOTS: Record<Slot, readonly [srcWidth: number, width: number, height: number]> = {
  'Home-2': [400, 600, 500],
  'Post-1': [400, 600, 750],
  'Footer-3': [1200, 1456, 180],
};

interface AdSlotProps {
  slot: Slot;
  /** All advertisements of the page; the slot selects its own. */
  ads: readonly Advertisement[];
  /** Show the slot's first advertisement only, without rotation. */
  firstOnly?: boolean;
}

/**
 * Renders the advertisements of one slot, labelled, in reserved space; several rotate, and can be paused. Nothing
 * without any.
 */
export function AdSlot({ slot, ads, firstOnly }: AdSlotProps) {
  const all = ads.filter((ad) => ad.slot === slot);
  const own = firstOnly ? all.slice(0, 1) : all;
  const { index, fading, paused, toggle, area, next } = useRotation(own);
  const [srcWidth, width, height] = SLOTS[slot];
  const sizes = `min(100vw, ${srcWidth}px)`;
  const ad = own[index % own.length];

  useEffect(() => {
    if (!next) return;
    const { src, srcSet } = imageSources(next.image, srcWidth, sizes);
    Object.assign(new Image(), { sizes, srcset: srcSet ?? src });
  }, [next, srcWidth, sizes]);

  if (!ad) return null;
  const image = (
    <img
      className={fading ? 'ad-slot-image is-fading' : 'ad-slot-image'}
      {...imageSources(ad.image, srcWidth, sizes)}
      alt={ad.name}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
    />
  );
  return (
    // No landmark: a page has several, all of one name.
    <div
      ref={area}
      className="ad-slot"
      role="group"
      data-slot={slot}
      aria-roledescription={own.length > 1 ? 'carousel' : undefined}
      aria-label="Advertisement"
    >
      <div className="ad-slot-head">
        <p>Advertisement</p>
        {own.length > 1 && <PauseButton paused={paused} onToggle={toggle} label="advertisements" />}
      </div>
      <div
        className="ad-slot-frame"
        {...(own.length > 1 && { role: 'group', 'aria-roledescription': 'slide', 'aria-label': ad.name })}
      >
        {ad.href === null ? (
          image
        ) : (
          <a href={ad.href} rel="noopener sponsored">
            {image}
          </a>
        )}
      </div>
    </div>
  );
}

import { useEffect } from 'react';
import type { Advertisement, AdSlot as Slot } from '#shared/models/advertisement.ts';
import { imageUrl } from '#shared/urls.ts';
import { PauseButton } from '../pause-button/pause-button.tsx';
import './ad-slot.css';
import { useRotation } from './use-rotation.ts';

/**
 * Per slot: the `width` of its images (specification, section 9) and the intrinsic `size` that reserves their space, in
 * pixels.
 */
const SLOTS: Record<Slot, { width: number; size: readonly [number, number] }> = {
  'Home-2': { width: 400, size: [600, 500] },
  'Post-1': { width: 400, size: [600, 750] },
  'Footer-3': { width: 1200, size: [1456, 180] },
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
  const { width, size } = SLOTS[slot];
  const ad = own[index % own.length];

  useEffect(() => {
    if (next) new Image().src = imageUrl(next.image, width);
  }, [next, width]);

  if (!ad) return null;
  const image = (
    <img
      className={fading ? 'ad-slot-image is-fading' : 'ad-slot-image'}
      src={imageUrl(ad.image, width)}
      alt={ad.name}
      width={size[0]}
      height={size[1]}
      loading="lazy"
      decoding="async"
    />
  );
  return (
    <aside
      ref={area}
      className="ad-slot"
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
    </aside>
  );
}

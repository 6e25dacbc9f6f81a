import { useEffect } from 'react';
import { Logo } from '#client/components/logo/logo.tsx';
import { PauseButton } from '#client/components/pause-button/pause-button.tsx';
import { useFailedImage } from '#client/hooks/use-failed-image.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import type { Advertisement, AdSlot as Slot } from '#shared/models/advertisement.ts';
import * as en from '#shared/texts/en.ts';
import { imageSources } from '#shared/urls.ts';
import './ad-slot.css';
import { usePixel } from './use-pixel.ts';
import { useRotation } from './use-rotation.ts';

/**
 * Per slot: the width of its `src` (specification, section 9), the size that reserves its space, all in pixels, and what
 * `ad-slot.css` and the pages' columns show.
 */
const SLOTS: Record<Slot, readonly [srcWidth: number, width: number, height: number, sizes: string]> = {
  'Home-2': [400, 600, 500, '320px'],
  'Post-1': [400, 600, 750, '320px'],
  'Footer-3': [1200, 1456, 180, 'min(1240px, 100vw - 32px)'],
};

interface AdSlotProps {
  slot: Slot;
  /** All advertisements of the page; the slot selects its own. */
  ads: readonly Advertisement[];
}

/**
 * Renders the advertisements of one slot, labelled, in reserved space; several rotate, and can be paused. Without any the
 * publisher's frame: a page of its advertising server, once it comes near; or nothing.
 */
export function AdSlot({ slot, ads }: AdSlotProps) {
  const t = useTexts();
  const own = ads.filter((ad) => ad.slot === slot);
  const { index, fading, paused, toggle, area, next } = useRotation(own);
  const [srcWidth, width, height, sizes] = SLOTS[slot];
  const ad = own[index % own.length];
  const { hasFailed, watch } = useFailedImage(ad?.image ?? null);

  useEffect(() => {
    if (!next) return;
    const { src, srcSet } = imageSources(next.image, srcWidth, sizes);
    Object.assign(new Image(), { sizes, srcset: srcSet ?? src });
  }, [next, srcWidth, sizes]);

  usePixel(area, ad?.pixelUrl);
  const { frame } = useSettings().ads;

  if (!ad && frame === null) return null;
  const rotates = own.length > 1;
  const className = `ad-slot-image${fading ? ' is-fading' : ''}`;
  return (
    // No landmark: a page has several, all of one name.
    <div
      ref={area}
      className="ad-slot"
      role="group"
      data-slot={slot}
      aria-roledescription={rotates ? t(en.carousel) : undefined}
      aria-label={t(en.advertisement)}
    >
      <div className="ad-slot-head">
        <p>{t(en.advertisement)}</p>
        {rotates && <PauseButton paused={paused} onToggle={toggle} label={t(en.advertisements)} />}
      </div>
      <div
        className="ad-slot-frame"
        {...(rotates && { role: 'group', 'aria-roledescription': t(en.slide), 'aria-label': ad?.name })}
      >
        {ad && (
          <a {...(ad.href !== null && { href: ad.href, rel: 'noopener sponsored' })} data-name={ad.name}>
            {hasFailed ? (
              <span className={`${className} is-empty`} role="img" aria-label={ad.name}>
                <Logo />
              </span>
            ) : (
              <img
                {...watch}
                className={className}
                {...imageSources(ad.image, srcWidth, `auto, ${sizes}`)}
                alt={ad.name}
                width={width}
                height={height}
                loading="lazy"
              />
            )}
          </a>
        )}
        {!ad && frame !== null && (
          <iframe
            className={className}
            src={frame.replaceAll('{slot}', slot)}
            title={t(en.advertisement)}
            sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
            loading="lazy"
          />
        )}
      </div>
    </div>
  );
}

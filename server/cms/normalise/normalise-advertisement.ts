import { z } from 'zod';
import { cmsAddress, cmsNumber, cmsText, LeftOut, required } from '#server/cms/lenient-parsing.ts';
import { AD_SLOTS, type Advertisement } from '#shared/models/advertisement.ts';
import type { ImageResolver } from './normalise-image.ts';
import { normaliseLink } from './normalise-link.ts';
import { plainText } from './normalise-text.ts';

export const cmsAdvertisement = z.object({
  banner_type: cmsText,
  banner_img: cmsAddress,
  banner_name: cmsText,
  dest_url: cmsAddress,
  duration_time: cmsNumber,
  // Not in the specification: used where an upstream sends it.
  pixel_url: cmsAddress,
});
type CmsAdvertisement = z.infer<typeof cmsAdvertisement>;

/** Specification, section 9. */
const DEFAULT_SECONDS = 5;
/** Content that changes more than three times a second may cause seizures (WCAG 2.3.1). */
const MIN_SECONDS = 0.5;
/** A longer interval means no rotation. */
const MAX_SECONDS = 120;

/** Name of an advertisement without one: its picture is a link, which needs a name. */
const NAMELESS = 'Advertisement';

function secondsOf(value: number | null): number {
  if (value === null || value <= 0) return DEFAULT_SECONDS;
  return Math.min(Math.max(value, MIN_SECONDS), MAX_SECONDS);
}

/** Returns a banner. Left out when its slot is unknown or its image cannot be shown. */
export function normaliseAdvertisement(ad: CmsAdvertisement, imageOf: ImageResolver): Advertisement {
  const slot = AD_SLOTS.find((name) => name === ad.banner_type?.trim());
  if (slot === undefined) throw new LeftOut('unknown slot');
  const image = required(imageOf(ad.banner_img), 'no picture');
  const pixelUrl = normaliseLink(ad.pixel_url);
  return {
    slot,
    image,
    name: plainText(ad.banner_name) ?? NAMELESS,
    href: normaliseLink(ad.dest_url),
    seconds: secondsOf(ad.duration_time),
    ...(pixelUrl !== null && { pixelUrl }),
  };
}

import { qualityValues } from '#server/http/response/content-negotiation.ts';

/** Widths that are served, in pixels: few enough that browsers of many densities share one result. */
const IMAGE_WIDTHS = [160, 320, 480, 640, 800, 960, 1200, 1600, 2000] as const;

/** `fallback`: JPEG, or PNG where the original has transparency. For clients that name neither AVIF nor WebP. */
export type ImageFormat = 'avif' | 'webp' | 'jpeg' | 'png' | 'fallback';

/** One picture at one width in one format: what is fetched, transformed and stored as a unit. */
export interface ImageVariant {
  /** Path of the original below the image host, with a leading slash, in canonical form. */
  path: string;
  /** One of `IMAGE_WIDTHS`. */
  width: number;
  /** Cropped to it, enlarged if need be; null: as high as the original is in relation to its width. */
  height: number | null;
  format: ImageFormat;
}

const WIDEST = IMAGE_WIDTHS[IMAGE_WIDTHS.length - 1] ?? 0;

/** Returns the narrowest served width that is at least `requested`; the widest where there is none, or none is requested. */
export function servedWidth(requested: number | undefined): number {
  return requested === undefined ? WIDEST : (IMAGE_WIDTHS.find((width) => width >= requested) ?? WIDEST);
}

/** In the order of their size at equal looks. */
const PREFERRED = ['avif', 'webp'] as const;

/**
 * Returns the format for an `Accept` header (RFC 9110, 12.5.1). AVIF and WebP must be named: many clients send a
 * wildcard and can show neither. Where none is acceptable the header is disregarded, as the RFC allows.
 */
export function negotiateFormat(accept: string | undefined): ImageFormat {
  const qualities = qualityValues(accept ?? '*/*');
  const wildcard = qualities.get('image/*') ?? qualities.get('*/*') ?? 0;
  const jpeg = qualities.get('image/jpeg') ?? wildcard;
  const png = qualities.get('image/png') ?? wildcard;
  const [best] = PREFERRED.map((format) => ({ format, quality: qualities.get(`image/${format}`) ?? 0 })).sort(
    (one, other) => other.quality - one.quality,
  );
  // Only a JPEG by its name outranks: browsers name PNG, at times above all others, without preferring it for photos.
  if (best && best.quality > 0 && best.quality >= (qualities.get('image/jpeg') ?? 0)) return best.format;
  if (jpeg > 0 === png > 0) return 'fallback';
  return jpeg > 0 ? 'jpeg' : 'png';
}

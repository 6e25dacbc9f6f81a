import { qualityValues } from '#server/http/quality-values.ts';
import type { ImageFormat } from './image-variant.ts';

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

type OriginalType = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';

/** Bytes that `detectImageType` needs at most. */
export const SIGNATURE_BYTES = 32;

const AVIF_BRANDS = new Set(['avif', 'avis']);

/**
 * Returns the format of a picture by its first bytes, or null for anything else: SVG and HTML above all, which sharp's
 * decoders must not see. Names and content types of an upstream are not believed.
 */
export function detectImageType(head: Uint8Array): OriginalType | null {
  const text = Buffer.from(head.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (startsWithTypeBox(text) && brandsOf(text).some((brand) => AVIF_BRANDS.has(brand))) return 'avif';
  return null;
}

/** The length before `ftyp` is that of a short box: four letters there, such as those of `<!--`, are a large number. */
function startsWithTypeBox(text: string): boolean {
  return text.startsWith('\0\0', 0) && text.startsWith('ftyp', 4);
}

/** The major brand and the first compatible ones of an ISO base media file. */
function brandsOf(text: string): string[] {
  return [8, 16, 20, 24, 28].map((offset) => text.slice(offset, offset + 4));
}

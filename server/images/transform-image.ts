import sharp, { type Sharp } from 'sharp';
import { ImageNotFound, TransformTimedOut } from './image-host.ts';
import type { ImageFormat } from './widths-and-formats.ts';

const MAX_ORIGINAL_PIXELS = 50_000_000;

/** The most that WebP can hold; AVIF holds a pixel more. */
const MAX_HEIGHT = 16_383;

/** For pictures that keep a thread busy for no good reason. */
const TIMEOUT_S = 10;

/**
 * The most that AVIF and mozjpeg get, which do their work after the last pixel, where no timeout stops them: some two
 * seconds of a core. A picture of 1600 x 2400 is within it.
 */
const MAX_SLOWLY_ENCODED_PIXELS = 4_000_000;

// One thread a transform: the queue decides how many run, so that pages keep the other cores (`docs/decisions/0035`).
sharp.concurrency(1);
// libvips would keep decoded pictures, which are not asked for again: results are on disk.
sharp.cache(false);
// libvips finds the format by the first bytes, whatever an upstream calls it. No other decoder may see them, SVG's least.
// Files are the demo CMS's own, which may run in this process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'SvgFile'].map((loader) => `VipsForeignLoad${loader}`),
});

/**
 * Resizes a picture to `width`, never enlarged, or crops it to `width` and `height`, and encodes it. Turns it upright and
 * removes metadata (EXIF, positions); of an animation it takes the first frame. What is too large for AVIF becomes WebP.
 * Throws `ImageNotFound` for what is broken or has too many pixels, `TransformTimedOut` for what takes too long.
 */
export async function transformImage(
  original: Buffer,
  { width, height = null, format }: { width: number; height?: number | null; format: ImageFormat },
) {
  try {
    const image = sharp(original, { limitInputPixels: MAX_ORIGINAL_PIXELS, failOn: 'error' });
    const { hasAlpha, autoOrient } = await image.metadata();
    const scale = Math.min(1, width / autoOrient.width, MAX_HEIGHT / autoOrient.height);
    const pixels = autoOrient.width * autoOrient.height * scale ** 2;
    const isLarge = height === null && pixels > MAX_SLOWLY_ENCODED_PIXELS;
    const target = targetFormat(format, hasAlpha, isLarge);
    const resized = image
      .autoOrient()
      .resize(
        height === null
          ? { width, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true }
          : { width, height, fit: 'cover', position: 'attention' },
      )
      .timeout({ seconds: TIMEOUT_S });
    return { bytes: await encode(resized, target, isLarge).toBuffer(), type: `image/${target}` };
  } catch (cause) {
    if (isTimeout(cause)) throw new TransformTimedOut('the transform took too long', { cause });
    throw new ImageNotFound('the original cannot be decoded', { cause });
  }
}

type TargetFormat = Exclude<ImageFormat, 'fallback'>;

function targetFormat(format: ImageFormat, hasAlpha: boolean, isLarge: boolean): TargetFormat {
  if (format === 'fallback') return hasAlpha ? 'png' : 'jpeg';
  return format === 'avif' && isLarge ? 'webp' : format;
}

/** sharp's errors have no codes: `timeout: 42% complete`. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout: ');
}

/** Quality and effort by measurement: `docs/decisions/0035`. */
function encode(image: Sharp, format: TargetFormat, isLarge: boolean): Sharp {
  switch (format) {
    case 'avif':
      return image.avif({ quality: 50, effort: 2, chromaSubsampling: '4:2:0' });
    case 'webp':
      return image.webp({ quality: 75, effort: 3 });
    case 'jpeg':
      return image.flatten({ background: '#fff' }).jpeg({ quality: 78, mozjpeg: !isLarge });
    case 'png':
      return image.png();
  }
}

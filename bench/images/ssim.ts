import sharp from 'sharp';

/** Side of a window and the step between windows, in pixels. */
const WINDOW = 8;
const STEP = 4;
/** (0.01 * 255)² and (0.03 * 255)²: keep the quotients finite in even windows. */
const C1 = 6.5025;
const C2 = 58.5225;

/** The luminance of a picture, one byte a pixel. */
export interface Luminance {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** Decodes a picture. */
export async function luminanceOf(image: Buffer): Promise<Luminance> {
  const { data, info } = await sharp(image)
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** Returns the mean structural similarity over windows (SSIM; Wang et al., 2004) of pictures of one size, from -1 to 1. */
export function ssim(one: Luminance, other: Luminance): number {
  let sum = 0;
  let windows = 0;
  for (let top = 0; top + WINDOW <= one.height; top += STEP)
    for (let left = 0; left + WINDOW <= one.width; left += STEP) {
      sum += windowSsim(one, other, top, left);
      windows++;
    }
  return sum / windows;
}

function windowSsim(one: Luminance, other: Luminance, top: number, left: number): number {
  let a = 0;
  let b = 0;
  let aa = 0;
  let bb = 0;
  let ab = 0;
  for (let y = top; y < top + WINDOW; y++)
    for (let x = left; x < left + WINDOW; x++) {
      const p = one.pixels[y * one.width + x] ?? 0;
      const q = other.pixels[y * one.width + x] ?? 0;
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  const n = WINDOW * WINDOW;
  const covariance = ab / n - (a / n) * (b / n);
  const variances = aa / n - (a / n) ** 2 + (bb / n - (b / n) ** 2);
  const means = (a / n) * (b / n);
  const squares = (a / n) ** 2 + (b / n) ** 2;
  return ((2 * means + C1) * (2 * covariance + C2)) / ((squares + C1) * (variances + C2));
}

import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

/**
 * Bytes, SSIM and encoding time of twenty demo pictures at the qualities of AVIF and WebP that come into question, as a
 * Markdown table (`docs/decisions/0035`). SSIM is that of the luminance against the resized picture before compression.
 */

const PICTURES = [
  'posts/a-grocer-learns-to-forget.svg',
  'posts/archivist-of-campaigns.svg',
  'posts/chemicals-group-abolishes-cmo-title.svg',
  'posts/crm-that-the-salespeople-built.svg',
  'posts/forecaster-who-shows-her-errors.svg',
  'posts/inside-a-blocked-sending-domain.svg',
  'posts/marketing-without-the-identifier.svg',
  'posts/reading-somebody-elses-dashboard.svg',
  'posts/synthetic-panel-startup-raises-money.svg',
  'posts/the-poster-seller-and-the-pigeons.svg',
  'figures/abandoned-basket-is-a-shopping-list-1.svg',
  'figures/do-not-buy-media-by-percentage-1.svg',
  'figures/give-every-agent-a-leaving-date-1.svg',
  'authors/amara-whitcombe.svg',
  'authors/ines-halloran.svg',
  'authors/marcus-adeyemi.svg',
  'events/agents-at-work-berlin.svg',
  'events/content-supply-chain-antwerp.svg',
  'events/migrations-workshop-ghent.svg',
  'ads/brightmoor-cdp.webp',
];
const WIDTH = 800;

/** As `server/images/transform-image.ts` encodes, but for the quality. */
const ENCODERS: Record<string, (image: Sharp, quality: number) => Sharp> = {
  AVIF: (image, quality) => image.avif({ quality, effort: 2, chromaSubsampling: '4:2:0' }),
  WebP: (image, quality) => image.webp({ quality, effort: 3 }),
};
const QUALITIES: Record<string, number[]> = { AVIF: [40, 45, 50, 55, 60], WebP: [65, 70, 75, 80, 85] };

/** Side of a window and the step between windows, in pixels. */
const WINDOW = 8;
const STEP = 4;
/** (0.01 * 255)² and (0.03 * 255)²: keep the quotients finite in even windows. */
const C1 = 6.5025;
const C2 = 58.5225;

interface Luminance {
  pixels: Uint8Array;
  width: number;
  height: number;
}

sharp.concurrency(1);

async function luminanceOf(image: Buffer): Promise<Luminance> {
  const { data, info } = await sharp(image)
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** Returns the mean structural similarity over windows (Wang et al., 2004), from -1 to 1. */
function ssim(one: Luminance, other: Luminance): number {
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

async function encodeAll(format: string, quality: number, resized: Buffer[], originals: Luminance[]) {
  const similarities: number[] = [];
  const times: number[] = [];
  let bytes = 0;
  for (const [index, image] of resized.entries()) {
    const began = performance.now();
    const encoded = await ENCODERS[format]?.(sharp(image), quality).toBuffer();
    times.push(performance.now() - began);
    const original = originals[index];
    if (encoded === undefined || original === undefined) throw new Error(`there is no encoder of ${format}`);
    bytes += encoded.length;
    similarities.push(ssim(original, await luminanceOf(encoded)));
  }
  const mean = similarities.reduce((sum, one) => sum + one, 0) / similarities.length;
  const median = times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
  return [
    `${format} ${quality}`,
    `${(bytes / 1000).toFixed(0)} kB`,
    mean.toFixed(4),
    Math.min(...similarities).toFixed(4),
    `${median.toFixed(0)} ms`,
  ];
}

const folder = join(import.meta.dirname, '../demo/pictures');
const resized = await Promise.all(
  PICTURES.map((name) => sharp(join(folder, name)).resize({ width: WIDTH }).png().toBuffer()),
);
const originals = await Promise.all(resized.map(luminanceOf));
process.stdout.write(
  '| quality | all bytes | mean SSIM | least SSIM | median time |\n| --- | ---: | ---: | ---: | ---: |\n',
);
for (const [format, qualities] of Object.entries(QUALITIES))
  for (const quality of qualities)
    process.stdout.write(`| ${(await encodeAll(format, quality, resized, originals)).join(' | ')} |\n`);

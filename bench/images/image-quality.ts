import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { type Luminance, luminanceOf, ssim } from './ssim.ts';

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

sharp.concurrency(1);

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

const folder = join(import.meta.dirname, '../../demo/pictures');
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

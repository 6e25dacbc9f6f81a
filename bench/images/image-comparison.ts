import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { Agent, request } from 'undici';
import type { ImageBaseline } from '../baseline-builds.ts';
import { median, p99, READERS, requestsPerCpuSecond, waitOfReaders } from '../load.ts';
import type { Measured } from '../processes.ts';
import { pickPictures } from './picture-names.ts';
import { luminanceOf, ssim } from './ssim.ts';

export interface ImageComparisonOptions {
  /** Base URL of the originals. */
  imageHost: string;
  /** Starts this site without any result on its disk. */
  startOurs(round: number): Promise<Measured>;
  next: ImageBaseline;
  rounds: number;
  seconds: number;
}

interface Pair {
  ours: number;
  next: number;
}

export interface ImageComparison {
  /** Number of pictures of each format. */
  images: number;
  formats: { format: string; bytes: Pair; ssim: Pair }[];
  /** Medians of the rounds' ratios by what was measured, and our own median with its unit. */
  waits: Record<string, { ratio: number; ours: string }>;
}

/** Widths that both serve: of a card on a phone, and of a lead. */
const WIDTHS = [640, 1200];
const ORIGINALS = 20;
/** Without the other format, so that each has to be encoded. */
const FORMATS = { AVIF: 'image/avif', WebP: 'image/webp' };

interface Target {
  path: string;
  width: number;
}

interface Server {
  name: 'ours' | 'next';
  start(round: number): Promise<Measured>;
  targetOf(target: Target): string;
}

/** Compares pictures of this site with those of `next/image` from the same originals, in alternating rounds. */
export async function compareImages(options: ImageComparisonOptions): Promise<ImageComparison> {
  const { imageHost, startOurs, next, rounds, seconds } = options;
  const paths = pickPictures(ORIGINALS).map((name) => `/${name}.jpg`);
  const targets = paths.flatMap((path) => WIDTHS.map((width) => ({ path, width })));
  const originals = new Map<string, Buffer>();
  // The demo CMS renders an original once.
  for (const path of paths) originals.set(path, await read(imageHost + path, {}));
  const servers: Server[] = [
    { name: 'ours', start: startOurs, targetOf: ({ path, width }) => `/media${path}?width=${width}` },
    {
      name: 'next',
      async start() {
        await next.forgetImages();
        return next.start();
      },
      targetOf: ({ path, width }) => next.imageTarget(imageHost + path, width),
    },
  ];

  const cold: Record<'p99' | 'cpu', Pair[]> = { p99: [], cpu: [] };
  const warm: Record<'p99' | 'cpu', Pair[]> = { p99: [], cpu: [] };
  for (let round = 0; round < rounds; round++) {
    const seen = { cold: { p99: pair(), cpu: pair() }, warm: { p99: pair(), cpu: pair() } };
    for (const { name, start, targetOf } of servers) {
      const server = await start(round);
      const headers = { accept: FORMATS.AVIF };
      const urls = targets.map((target) => server.origin + targetOf(target));
      const before = server.cpuSeconds();
      seen.cold.p99[name] = p99(await readAll(urls, headers));
      seen.cold.cpu[name] = ((server.cpuSeconds() - before) * 1_000) / urls.length;
      const [url = ''] = urls;
      await waitOfReaders(url, 1, headers);
      seen.warm.p99[name] = await waitOfReaders(url, seconds, headers);
      const path = url.slice(server.origin.length);
      seen.warm.cpu[name] = 1_000 / (await requestsPerCpuSecond(server, path, headers, seconds));
      await server.stop();
    }
    cold.p99.push(seen.cold.p99);
    cold.cpu.push(seen.cold.cpu);
    warm.p99.push(seen.warm.p99);
    warm.cpu.push(seen.warm.cpu);
  }

  const formats: ImageComparison['formats'] = [];
  for (const [format, accept] of Object.entries(FORMATS)) {
    const bytes = pair();
    const similarity = pair();
    for (const { name, start, targetOf } of servers) {
      const server = await start(rounds);
      for (const target of targets) {
        const image = await read(server.origin + targetOf(target), { accept });
        const original = originals.get(target.path);
        const resized = await sharp(original).resize({ width: target.width }).png().toBuffer();
        bytes[name] += image.length;
        similarity[name] += ssim(await luminanceOf(resized), await luminanceOf(image)) / targets.length;
      }
      await server.stop();
    }
    formats.push({ format, bytes, ssim: similarity });
  }
  const milliseconds = (values: Pair[]) => ({
    ratio: median(values.map(({ ours, next }) => ours / next)),
    ours: `${median(values.map(({ ours }) => ours)).toFixed(2)} ms`,
  });
  return {
    images: targets.length,
    formats,
    waits: {
      [`p99 of ${targets.length} new AVIFs for ${READERS} readers`]: milliseconds(cold.p99),
      'processor time of a new AVIF': milliseconds(cold.cpu),
      [`p99 of a warm AVIF for ${READERS} readers`]: milliseconds(warm.p99),
      'processor time of a warm AVIF': milliseconds(warm.cpu),
    },
  };
}

function pair(): Pair {
  return { ours: 0, next: 0 };
}

/** Wait this long (ms) where a server has no capacity for an image. */
const RETRY_MS = 100;

/** Resolves with an image of the format that is accepted, however often the server has no capacity for it. */
async function read(url: string, headers: Record<string, string>, dispatcher?: Agent): Promise<Buffer> {
  const response = await request(url, { headers, ...(dispatcher && { dispatcher }) });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  if (response.statusCode === 503) {
    await pause(RETRY_MS);
    return read(url, headers, dispatcher);
  }
  const type = response.headers['content-type'];
  const { accept = type } = headers;
  if (response.statusCode !== 200 || type !== accept)
    throw new Error(`${url}: ${response.statusCode}, ${type}, not ${accept}`);
  return bytes;
}

/** Reads each URL once, some at a time. Returns how long each took, in milliseconds. */
async function readAll(urls: readonly string[], headers: Record<string, string>): Promise<number[]> {
  const dispatcher = new Agent({ connections: READERS, pipelining: 1 });
  const rest = [...urls];
  const waits: number[] = [];
  const readRest = async () => {
    for (let url = rest.shift(); url !== undefined; url = rest.shift()) {
      const began = performance.now();
      await read(url, headers, dispatcher);
      waits.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: READERS }, readRest));
  await dispatcher.close();
  return waits;
}

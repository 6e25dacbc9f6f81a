import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { Overloaded } from '#server/errors.ts';
import type { Clock } from '#server/time.ts';
import { createClientQueue } from './client-queue.ts';
import {
  createImageHost,
  type ImageHost,
  ImageHostFailed,
  type ImageHostOptions,
  ImageNotFound,
  TransformTimedOut,
} from './image-host.ts';
import { type ImageStore, type ImageStoreOptions, openImageStore, type StoredImage } from './image-store.ts';
import type { transformImage } from './transform-image.ts';
import type { ImageFormat, ImageVariant } from './widths-and-formats.ts';

/** A transform that was tried, or not even that: `rejected` for want of capacity. */
export interface TransformRecord {
  format: ImageFormat;
  result: 'ok' | 'error' | 'rejected';
  /** 0 where it was rejected. */
  ms: number;
}

export type ImageService = ReturnType<typeof createImageService>;

export interface ImageServiceOptions {
  host: ImageHost;
  store: ImageStore;
  transform: typeof transformImage;
  /** Tells results of different image hosts apart. */
  baseUrl: string;
  onTransform: (record: TransformRecord) => void;
  /** How long a request waits for a picture that is not stored, in milliseconds. */
  maxWaitMs: number;
  clock: Clock;
}

/** `max-age` and `stale-while-revalidate` of a result. */
export const FRESH_S = 86_400;
export const STALE_S = 604_800;

/** How long a missing original is believed to be missing. */
export const NOT_FOUND_S = 60;
/** How long a failed image host is not asked again for the same picture. */
const FAILURE_MS = 5_000;
/** How long a transform that took too long is not tried again: each attempt keeps a core busy. */
const TIMED_OUT_MS = 60_000;
const MAX_FAILURES = 2_000;

/** Cores for pages and their rendering first. libuv's pool has four threads, which reading files needs too. */
const MAX_CONCURRENT_TRANSFORMS = Math.min(3, Math.max(1, availableParallelism() - 1));

/** Raised when quality or formats change: older results are then not read again. */
const RESULT_VERSION = 2;

/** On whose share stale results are made again. */
const NO_CLIENT = '';
const NO_SIGNAL = new AbortController().signal;

/**
 * Pictures at any width and format: from the store, or by one fetch and one transform however many wait. A result that is
 * a day old is served once more while it is made again from its original, and while its original fails.
 */
export function createImageService(options: ImageServiceOptions) {
  const { host, store, transform, baseUrl, onTransform, maxWaitMs, clock } = options;
  const loads = createClientQueue<StoredImage>(maxWaitMs);
  const transforms = new PQueue({ concurrency: MAX_CONCURRENT_TRANSFORMS });
  /** By path: no width or format of a picture exists where its original does not. By key: of one width and format. */
  const failures = new LRUCache<string, ImageNotFound | ImageHostFailed | TransformTimedOut>({
    max: MAX_FAILURES,
    ttl: FAILURE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() },
  });

  function keyOf({ path, width, height, format }: ImageVariant): string {
    const size = height === null ? width : `${width}x${height}`;
    return `${RESULT_VERSION} ${baseUrl} ${path} ${size} ${format}`;
  }

  const isFresh = ({ madeAt }: StoredImage) => Math.abs(clock.now() - madeAt) < FRESH_S * 1000;

  async function transformed(bytes: Buffer, variant: ImageVariant) {
    const startedAt = clock.monotonic();
    let result: TransformRecord['result'] = 'error';
    try {
      const encoded = await transform(bytes, variant);
      result = 'ok';
      return encoded;
    } finally {
      onTransform({ format: variant.format, result, ms: clock.monotonic() - startedAt });
    }
  }

  async function makeImage(key: string, variant: ImageVariant): Promise<StoredImage> {
    const original = await host.fetchOriginal(variant.path);
    const madeAt = clock.now();
    const { bytes, type } = await transforms.add(() => transformed(original, variant));
    const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
    const image = { bytes, type, etag, madeAt };
    await store.write(key, image);
    return image;
  }

  async function recordFailure(error: unknown, key: string, { path }: ImageVariant): Promise<void> {
    if (error instanceof ImageNotFound) {
      failures.set(path, error, { ttl: NOT_FOUND_S * 1000 });
      if (error.isGone) await store.delete(key);
    } else if (error instanceof ImageHostFailed) failures.set(path, error);
    else if (error instanceof TransformTimedOut) failures.set(key, error, { ttl: TIMED_OUT_MS });
  }

  async function load(variant: ImageVariant, client: string, signal: AbortSignal): Promise<StoredImage> {
    const key = keyOf(variant);
    const failure = failures.get(variant.path) ?? failures.get(key);
    if (failure) throw failure;
    try {
      return await loads.run(key, client, signal, async () => {
        // Another load may have ended since this request's look-up.
        const newest = await store.read(key);
        if (newest !== null && isFresh(newest)) return newest;
        try {
          return await makeImage(key, variant);
        } catch (error) {
          await recordFailure(error, key, variant);
          throw error;
        }
      });
    } catch (error) {
      if (error instanceof Overloaded && !signal.aborted)
        onTransform({ format: variant.format, result: 'rejected', ms: 0 });
      throw error;
    }
  }

  return {
    close: () => Promise.all([host.close(), store.close()]),
    /**
     * `client`: whose share of the loads a picture that is not stored takes, while `signal` is not aborted. Throws
     * `ImageNotFound`, `ImageHostFailed`, `TransformTimedOut` or `Overloaded`.
     */
    async getImage(variant: ImageVariant, client: string, signal: AbortSignal) {
      const stored = await store.read(keyOf(variant));
      if (stored === null) return { image: await load(variant, client, signal), isStale: false };
      if (isFresh(stored)) return { image: stored, isStale: false };
      load(variant, NO_CLIENT, NO_SIGNAL).catch(() => undefined);
      return { image: stored, isStale: true };
    },
  };
}

export type ImagesOptions = ImageHostOptions &
  ImageStoreOptions &
  Pick<ImageServiceOptions, 'onTransform' | 'maxWaitMs'>;

/** Makes the image service from its parts. sharp is loaded for the first transform: stored results do not need it. */
export function openImages(options: ImagesOptions): ImageService {
  const host = createImageHost(options);
  return createImageService({
    ...options,
    host,
    store: openImageStore(options),
    async transform(...image) {
      const { transformImage } = await import('./transform-image.ts');
      return transformImage(...image);
    },
  });
}

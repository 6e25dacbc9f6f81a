import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { createSingleFlight } from '#server/cache/loading/single-flight.ts';
import { Overloaded } from '#server/errors.ts';
import { ImageHostFailed, ImageNotFound, TransformTimedOut } from './image-errors.ts';
import type { ImageHost } from './image-host.ts';
import type { ImageStore, StoredImage } from './image-store.ts';
import type { ImageFormat, ImageVariant } from './image-variant.ts';
import type { transformImage } from './transform-image.ts';

/** A transform that was tried, or not even that: `rejected` for want of capacity. */
export interface TransformRecord {
  format: ImageFormat;
  result: 'ok' | 'error' | 'rejected';
  /** 0 where it was rejected. */
  ms: number;
}

/** A picture, and whether it is older than it should be. */
interface ServedImage {
  image: StoredImage;
  isStale: boolean;
}

export interface ImageService {
  /** Throws `ImageNotFound`, `ImageHostFailed`, `TransformTimedOut` or `Overloaded`. */
  getImage(variant: ImageVariant): Promise<ServedImage>;
  close(): Promise<void>;
}

export interface ImageServiceOptions {
  host: ImageHost;
  store: ImageStore;
  transform: typeof transformImage;
  /** Tells results of different image hosts apart. */
  baseUrl: string;
  isOverloaded: () => boolean;
  onTransform: (record: TransformRecord) => void;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Wall milliseconds. */
  wallClock: () => number;
}

/** `max-age` and `stale-while-revalidate` of a result. */
export const FRESH_S = 86_400;
export const STALE_S = 604_800;

/** How long a missing original is believed to be missing. */
export const NOT_FOUND_S = 60;
/** How long a failed image host is not asked again for the same picture. */
const FAILURE_MS = 1_000;
/** How long a transform that took too long is not tried again: each attempt keeps a core busy. */
const TIMED_OUT_MS = 60_000;
const MAX_FAILURES = 2_000;

/** Originals in memory at once: at most this times `MAX_ORIGINAL_BYTES`. */
const MAX_CONCURRENT_LOADS = 8;
/** Variants that wait, some tens of milliseconds each. A cold home page asks for about forty. */
const MAX_QUEUED_LOADS = 100;
/** Cores for pages and their rendering first. libuv's pool has four threads, which reading files needs too. */
const MAX_CONCURRENT_TRANSFORMS = Math.min(3, Math.max(1, availableParallelism() - 1));

/** Raised when quality or formats change: older results are then not read again. */
const RESULT_VERSION = 1;

/**
 * Pictures at any width and format: from the store while fresh, stale while they are refreshed in the background, else
 * by one fetch and one transform however many wait (single-flight). An older result is served while its original fails.
 */
export function createImageService(options: ImageServiceOptions): ImageService {
  const { host, store, transform, baseUrl, isOverloaded, onTransform, clock, wallClock } = options;
  const loads = createSingleFlight<StoredImage>(clock);
  const loadQueue = new PQueue({ concurrency: MAX_CONCURRENT_LOADS });
  const transformQueue = new PQueue({ concurrency: MAX_CONCURRENT_TRANSFORMS });
  /** By path: no width or format of a picture exists where its original does not. By key: of one width and format. */
  const failures = new LRUCache<string, ImageNotFound | ImageHostFailed | TransformTimedOut>({
    max: MAX_FAILURES,
    ttl: FAILURE_MS,
    ttlResolution: 0,
    perf: { now: clock },
  });

  function keyOf({ path, width, height, format }: ImageVariant): string {
    const size = height === null ? width : `${width}x${height}`;
    return `${RESULT_VERSION} ${baseUrl} ${path} ${size} ${format}`;
  }

  function rejectIfOverloaded(format: ImageFormat, isFull = false): void {
    if (!isFull && !isOverloaded()) return;
    onTransform({ format, result: 'rejected', ms: 0 });
    throw new Overloaded();
  }

  async function transformed(bytes: Buffer, variant: ImageVariant) {
    rejectIfOverloaded(variant.format);
    const startedAt = clock();
    let result: TransformRecord['result'] = 'error';
    try {
      const encoded = await transform(bytes, variant);
      result = 'ok';
      return encoded;
    } finally {
      onTransform({ format: variant.format, result, ms: clock() - startedAt });
    }
  }

  async function loadImage(
    key: string,
    variant: ImageVariant,
    older: StoredImage | null,
  ): Promise<StoredImage> {
    const fetched = await host.fetchOriginal(variant.path, older?.original ?? null);
    const validatedAt = wallClock();
    if (fetched === null) {
      if (older === null) throw new ImageHostFailed('unchanged since no known version');
      await store.validated(key);
      return { ...older, validatedAt };
    }
    const { bytes, type } = await transformQueue.add(() => transformed(fetched.bytes, variant));
    const { etag, lastModified } = fetched;
    const image = { bytes, type, etag: etagOf(bytes), original: { etag, lastModified }, validatedAt };
    await store.write(key, image);
    return image;
  }

  async function recordFailure(error: unknown, key: string, { path }: ImageVariant): Promise<void> {
    if (error instanceof ImageNotFound) {
      failures.set(path, error, { ttl: NOT_FOUND_S * 1000 });
      await store.delete(key);
    } else if (error instanceof ImageHostFailed) failures.set(path, error);
    else if (error instanceof TransformTimedOut) failures.set(key, error, { ttl: TIMED_OUT_MS });
  }

  async function load(variant: ImageVariant, older: StoredImage | null): Promise<StoredImage> {
    const key = keyOf(variant);
    const failure = failures.get(variant.path) ?? failures.get(key);
    if (failure) throw failure;
    return loads.run(key, async () => {
      // Another load may have ended since this request's look-up.
      const newest = await store.read(key);
      if (newest !== null && newest.validatedAt !== older?.validatedAt) return newest;
      rejectIfOverloaded(variant.format, loadQueue.size >= MAX_QUEUED_LOADS);
      try {
        return await loadQueue.add(() => loadImage(key, variant, older));
      } catch (error) {
        await recordFailure(error, key, variant);
        throw error;
      }
    });
  }

  /** Refreshes stale images only while no request waits for a load: a later request can refresh them. */
  function refreshInBackground(variant: ImageVariant, older: StoredImage): void {
    if (loadQueue.size === 0) load(variant, older).catch(() => undefined);
  }

  return {
    async close() {
      await Promise.all([host.close(), store.close()]);
    },
    async getImage(variant) {
      const stored = await store.read(keyOf(variant));
      const age = stored === null ? Number.POSITIVE_INFINITY : wallClock() - stored.validatedAt;
      // A negative age: the wall clock was set back, and nothing is known.
      if (stored !== null && age >= 0 && age < FRESH_S * 1000) return { image: stored, isStale: false };
      if (stored !== null && Math.abs(age) < (FRESH_S + STALE_S) * 1000) {
        refreshInBackground(variant, stored);
        return { image: stored, isStale: true };
      }
      try {
        return { image: await load(variant, stored), isStale: false };
      } catch (error) {
        if (stored === null || error instanceof ImageNotFound) throw error;
        return { image: stored, isStale: true };
      }
    },
  };
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}

import { hash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, replaceFile } from '#server/storage/files.ts';
import { type Clock, createLogThrottle } from '#server/time.ts';

/** A transformed picture as it is served. */
export interface StoredImage {
  bytes: Buffer;
  type: string;
  etag: string;
  /** When its original was fetched, in wall milliseconds. */
  madeAt: number;
}

export type ImageStore = ReturnType<typeof openImageStore>;

export interface ImageStoreOptions {
  dir: string;
  maxBytes: number;
  /** Its wall time is used: times of files outlive the process. */
  clock: Clock;
  logger: { warn(fields: object, message: string): void };
}

/** A line before a picture's bytes: content type, ETag, when it was made, length. */
const HEADER = /^(\S+) (\S+) (\d+) (\d+)\n/;
const MAX_HEADER_BYTES = 200;

/** With what a killed process has left: nothing else is written meanwhile. */
const FILE_NAME = /^[\w-]{43}(\.tmp)?$/;
const BLOCK_BYTES = 4096;
/** A picture that is in use is made again each day: one of this age is used by no page. */
const MAX_AGE_MS = 30 * 86_400_000;
const SWEEP_EVERY_MS = 86_400_000;
/** What a sweep of a full folder leaves. */
const SWEPT_SHARE = 0.9;

/**
 * Opens a folder of pictures. The folder is the index: a file's name is a digest of its key. At the start, once a day, and
 * when the folder is full, a sweep removes the oldest. Files appear by rename, so that a killed process leaves
 * whole files or temporary ones. Nothing here rejects: where the disk fails, there is no picture, or it is not kept.
 */
export function openImageStore({ dir, maxBytes, clock, logger }: ImageStoreOptions) {
  const pathOf = (key: string) => join(dir, hash('sha256', key, 'base64url'));
  const isLogDue = createLogThrottle(clock);
  let sweptAt = clock.now();
  let bytesOnDisk = 0;
  let isClosed = false;

  function warn(error: unknown): void {
    if (isLogDue()) logger.warn({ err: error }, 'pictures cannot be stored; they are served without caching');
  }

  /** Removes what is too old, and the oldest until `needed` bytes more leave the folder below its limit. */
  async function sweep(needed: number): Promise<void> {
    sweptAt = clock.now();
    createFolder(dir);
    const files: { path: string; size: number; age: number }[] = [];
    for (const name of (await readdir(dir)).filter((one) => FILE_NAME.test(one))) {
      const path = join(dir, name);
      const found = await stat(path).catch(() => null);
      if (found?.isFile()) files.push({ path, size: sizeOnDisk(found.size), age: sweptAt - found.mtimeMs });
    }
    files.sort((one, other) => other.age - one.age);
    bytesOnDisk = files.reduce((sum, { size }) => sum + size, 0);
    const target = bytesOnDisk + needed > maxBytes ? maxBytes * SWEPT_SHARE - needed : maxBytes;
    for (const { path, size, age } of files) {
      if (bytesOnDisk <= target && age <= MAX_AGE_MS) return;
      await rm(path, { force: true });
      bytesOnDisk -= size;
    }
  }

  async function write(key: string, { bytes, type, etag, madeAt }: StoredImage): Promise<void> {
    if (isClosed) return;
    const content = Buffer.concat([Buffer.from(`${type} ${etag} ${madeAt} ${bytes.length}\n`), bytes]);
    const size = sizeOnDisk(content.length);
    if (size > maxBytes) return;
    try {
      if (bytesOnDisk + size > maxBytes || Math.abs(clock.now() - sweptAt) > SWEEP_EVERY_MS)
        await sweep(size);
      // Not synced: a file that a crash of the system cuts is not read, because it has another length than it says.
      await replaceFile(pathOf(key), content, { isSynced: false });
      bytesOnDisk += size;
    } catch (error) {
      warn(error);
    }
  }

  /** Writes follow one another, so that none exceeds the limit. */
  let lastWrite = sweep(0).catch(warn);

  return {
    read: async (key: string) => parseFile(await readFile(pathOf(key)).catch(() => Buffer.alloc(0))),
    write(key: string, image: StoredImage): Promise<void> {
      lastWrite = lastWrite.then(() => write(key, image));
      return lastWrite;
    },
    delete: (key: string) => rm(pathOf(key), { force: true }).catch(warn),
    /** Writes nothing from now on. Resolves when nothing is being written any more. */
    async close(): Promise<void> {
      isClosed = true;
      await lastWrite;
    },
  };
}

function sizeOnDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Null for a file that is missing, cut or not ours. */
function parseFile(content: Buffer): StoredImage | null {
  const [header = '', type = '', etag = '', madeAt, length] =
    HEADER.exec(content.toString('latin1', 0, MAX_HEADER_BYTES)) ?? [];
  const bytes = content.subarray(header.length);
  return bytes.length === Number(length) ? { bytes, type, etag, madeAt: Number(madeAt) } : null;
}

import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createFolder } from '#server/storage/create-folder.ts';
import { removeAbandonedDrafts, replaceFile } from '#server/storage/replace-file.ts';
import type { Validators } from './image-host.ts';

/** A transformed picture as it is served. */
export interface StoredImage {
  bytes: Buffer;
  /** Content type. */
  type: string;
  /** Strong ETag of the bytes. */
  etag: string;
  /** The version of the original that it was made from. */
  original: Validators;
  /** When the original was last seen to be this version, in wall milliseconds. */
  validatedAt: number;
}

/** Pictures on disk. Nothing here rejects: where the disk fails, there is no picture, or it is not kept. */
export interface ImageStore {
  read(key: string): Promise<StoredImage | null>;
  write(key: string, image: StoredImage): Promise<void>;
  /** The original was found unchanged. */
  validated(key: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Resolves when the folder's files count towards the limit. Reads need not wait for it, writes do. */
  ready: Promise<void>;
  /** Bytes on disk. */
  size(): number;
  /** Writes nothing from now on. Resolves when nothing is being written any more. */
  close(): Promise<void>;
}

export interface ImageStoreOptions {
  dir: string;
  maxBytes: number;
  /** Wall milliseconds: times of files outlive the process. */
  wallClock: () => number;
  logger: { warn(fields: object, message: string): void };
}

const Header = z.object({
  type: z.string(),
  etag: z.string(),
  original: z.object({ etag: z.string().nullable(), lastModified: z.string().nullable() }),
  length: z.int(),
});

const FILE_NAME = /^[\w-]{43}$/;
const BLOCK_BYTES = 4096;
const WARN_EVERY_MS = 60_000;
const CONCURRENT_STATS = 16;

/**
 * A folder of pictures, bounded by LRU eviction. The folder is the index: a file's name is a digest of its key, its
 * mtime the validation time. Files appear by rename, so that a killed process leaves whole
 * files or temporary ones.
 */
export function openImageStore({ dir, maxBytes, wallClock, logger }: ImageStoreOptions): ImageStore {
  const pathOf = (name: string) => join(dir, name);
  const index = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => size,
    dispose: (_size, name, reason) => {
      if (reason === 'evict') void remove(pathOf(name));
    },
  });
  let warnedAt = Number.NEGATIVE_INFINITY;
  let isLoaded = false;
  let isClosed = false;
  const writes = new Set<Promise<void>>();

  function warn(error: unknown): void {
    if (Math.abs(wallClock() - warnedAt) < WARN_EVERY_MS) return;
    warnedAt = wallClock();
    logger.warn({ err: error }, 'pictures cannot be stored; they are served without caching');
  }

  async function remove(path: string): Promise<void> {
    await rm(path, { force: true }).catch(warn);
  }

  /** Adds what earlier processes have stored, what was validated longest ago first. */
  async function load(): Promise<void> {
    const files: { name: string; size: number; validatedAt: number }[] = [];
    const look = async (name: string) => {
      const found = await stat(pathOf(name)).catch(() => null);
      if (found?.isFile()) files.push({ name, size: sizeOnDisk(found.size), validatedAt: found.mtimeMs });
    };
    try {
      createFolder(dir);
      await removeAbandonedDrafts(dir, wallClock());
      const names = (await readdir(dir)).filter((name) => FILE_NAME.test(name)).values();
      await Promise.all(
        Array.from({ length: CONCURRENT_STATS }, async () => {
          for (const name of names) await look(name);
        }),
      );
    } catch (error) {
      warn(error);
    }
    files.sort((one, other) => one.validatedAt - other.validatedAt);
    for (const { name, size } of files) index.set(name, size);
    isLoaded = true;
  }

  async function write(
    key: string,
    { bytes, type, etag, original, validatedAt }: StoredImage,
  ): Promise<void> {
    await ready;
    if (isClosed) return;
    const name = nameOf(key);
    const content = Buffer.concat([headerOf({ type, etag, original, length: bytes.length }), bytes]);
    // Before the file is there: what it displaces goes first.
    index.set(name, sizeOnDisk(content.length));
    const time = new Date(validatedAt);
    try {
      if (!index.has(name)) return;
      // Not synced: a file that a crash of the system cuts is not read, because it has another length than it says.
      await replaceFile(pathOf(name), content, { isSynced: false });
      await utimes(pathOf(name), time, time);
      if (!index.has(name)) await remove(pathOf(name));
    } catch (error) {
      index.delete(name);
      warn(error);
    }
  }

  const ready = load();

  return {
    ready,
    size: () => index.calculatedSize,

    async read(key) {
      const name = nameOf(key);
      const image = await readImage(pathOf(name)).catch(() => null);
      if (!isLoaded) return image;
      if (image === null) index.delete(name);
      // Also those that another process has written meanwhile.
      else if (index.get(name) === undefined) index.set(name, sizeOnDisk(image.bytes.length));
      return image;
    },

    async write(key, image) {
      const writing = write(key, image);
      writes.add(writing);
      await writing;
      writes.delete(writing);
    },

    async validated(key) {
      const now = new Date(wallClock());
      await utimes(pathOf(nameOf(key)), now, now).catch(() => undefined);
    },

    async delete(key) {
      const name = nameOf(key);
      index.delete(name);
      await remove(pathOf(name));
    },

    async close() {
      isClosed = true;
      await Promise.all([ready, ...writes]);
    },
  };
}

async function readImage(path: string): Promise<StoredImage | null> {
  const [{ mtimeMs }, content] = await Promise.all([stat(path), readFile(path)]);
  return parseFile(content, mtimeMs);
}

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function sizeOnDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** A line of JSON before the picture's bytes. */
function headerOf(header: z.infer<typeof Header>): Buffer {
  return Buffer.from(`${JSON.stringify(header)}\n`);
}

/** Null for a file that is cut or not ours. */
function parseFile(content: Buffer, validatedAt: number): StoredImage | null {
  const end = content.indexOf('\n');
  const { data } = Header.safeParse(parseJson(content.subarray(0, Math.max(end, 0)).toString()));
  const bytes = content.subarray(end + 1);
  if (data === undefined || bytes.length !== data.length) return null;
  const { type, etag, original } = data;
  return { bytes, type, etag, original, validatedAt };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

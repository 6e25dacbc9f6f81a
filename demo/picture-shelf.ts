import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { PictureRequest, PictureSource } from './pictures/picture.ts';

/** A rendered picture and the strong entity tag of its bytes. */
export interface ShelvedPicture {
  bytes: Buffer;
  etag: string;
}

export interface PictureShelfOptions {
  source: PictureSource;
  /** Folder that keeps rendered pictures over restarts; null keeps them in memory alone. */
  dir: string | null;
  maxBytes?: number;
  maxRenderings?: number;
}

const MEBIBYTE = 1024 * 1024;

/**
 * Keeps rendered pictures: in memory within a bound, and in a folder where there is one.
 * Each is rendered once however many ask for it at the same time. Null for a path that the source does not know.
 */
export function createPictureShelf({
  source,
  dir,
  maxBytes = 96 * MEBIBYTE,
  maxRenderings = 2,
}: PictureShelfOptions): (request: PictureRequest) => Promise<ShelvedPicture | null> {
  const memory = new LRUCache<string, ShelvedPicture>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });
  const underWay = new Map<string, Promise<ShelvedPicture | null>>();
  const inTurn = limitedTo(maxRenderings);

  return (request) => {
    const key = `${request.path} ${request.width} ${request.format}`;
    const kept = memory.get(key);
    if (kept) return Promise.resolve(kept);
    const started = underWay.get(key) ?? fetchPicture(key, request).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };

  async function fetchPicture(key: string, request: PictureRequest): Promise<ShelvedPicture | null> {
    const file = dir === null ? null : join(dir, `${hash(key)}.${request.format}`);
    const bytes = (file && (await readIfThere(file))) ?? (await renderTo(file, request));
    if (!bytes) return null;
    const picture = { bytes, etag: `"${hash(bytes)}"` };
    memory.set(key, picture);
    return picture;
  }

  async function renderTo(file: string | null, request: PictureRequest): Promise<Buffer | null> {
    const bytes = await inTurn(() => source.render(request));
    if (bytes && file && dir) await keep(dir, file, bytes);
    return bytes;
  }
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch {
    return null;
  }
}

/** Written aside and renamed, so that a file is whole or not there. A disk that refuses costs a rendering later, no more. */
async function keep(dir: string, file: string, bytes: Buffer): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(`${file}.part`, bytes);
    await rename(`${file}.part`, file);
  } catch {
    return;
  }
}

function limitedTo(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // A place is handed on as it is; only without a successor does it fall free.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gunzip } from 'node:zlib';
import { z } from 'zod';
import { type SavedEntry, savedEntrySchema } from './saved-entry.ts';

/** What a snapshot is taken of and put back into. */
export interface SnapshotSource {
  /** Most recently used first. Asked for piece by piece, so that a large cache does not hold the event loop. */
  entries(): Iterable<SavedEntry>;
  /** Addresses of finished pages that readers ask for, the latest first. */
  pages(): readonly string[];
  /** The last change by an operator, of all instances', that the entries know of; null where that cannot be said. */
  lastChange(): string | null;
  /** Answers how many entries are of use. */
  restore(saved: readonly SavedEntry[], about: SnapshotHeader): number;
}

/** What is known of a snapshot besides its entries. */
export interface SnapshotHeader {
  /** How long ago it was taken. */
  elapsedMs: number;
  pages: readonly string[];
  lastChange: string | null;
}

/** What snapshots stand on. */
export interface SnapshotOptions {
  cache: SnapshotSource;
  /** The folder of the file; made if it is missing. */
  dir: string;
  /** Of our model: a snapshot of another version is ignored, since its values may have another shape. */
  version: string;
  /** Wall milliseconds: the only clock that goes on while the process does not run. */
  wallClock: () => number;
  logger: { warn(about: object, message: string): void };
}

/** Layout of the file: gzip of JSON lines, a header and an entry each, then the SHA-256 of the gzip. */
const FORMAT = 1;
const DIGEST_BYTES = 32;
const FILE = 'content-cache.snapshot';

/** Lines joined into one write; the event loop is free between two. */
const LINES_AT_ONCE = 50;

const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  savedAt: z.number(),
  pages: z.array(z.string()).default([]),
  lastChange: z.string().nullable().default(null),
});
const unzip = promisify(gunzip);

/**
 * The cache on disk, so that a restart is warm, also while the upstream is down. Ages go on by the wall clock's
 * difference, never backwards. Neither method rejects: a cache without its snapshot is a cold one, no broken one.
 */
export function createSnapshot({ cache, dir, version, wallClock, logger }: SnapshotOptions) {
  const file = join(dir, FILE);
  const temporary = `${file}.${process.pid}.tmp`;
  let saving: Promise<boolean> | null = null;

  async function* compressedWithDigest(): AsyncGenerator<Buffer> {
    const digest = createHash('sha256');
    const [pages, lastChange] = [cache.pages(), cache.lastChange()];
    const header = JSON.stringify({ format: FORMAT, version, savedAt: wallClock(), pages, lastChange });
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    const compressed = Readable.from(pieces(header, cache.entries())).compose(gzip);
    for await (const chunk of compressed) {
      digest.update(chunk);
      yield chunk;
    }
    yield digest.digest();
  }

  async function write(): Promise<boolean> {
    try {
      await mkdir(dir, { recursive: true });
      await pipeline(compressedWithDigest(), createWriteStream(temporary, { mode: 0o600, flush: true }));
      await rename(temporary, file);
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'the cache snapshot could not be written');
      await rm(temporary, { force: true }).catch(() => undefined);
      return false;
    }
  }

  function save(): Promise<boolean> {
    saving ??= write().finally(() => {
      saving = null;
    });
    return saving;
  }

  return {
    /** Writes the file anew and puts it in the old one's place. Answers whether it did. One at a time. */
    save,

    /** The same, with what stands now: one that is being written may have begun before. */
    async saveAnew(): Promise<boolean> {
      await saving;
      return save();
    },

    /** Fills the cache from the file. Answers with how many entries; none where it is missing or of no use. */
    async load(): Promise<number> {
      try {
        const bytes = await readIfThere(file);
        if (bytes === null) return 0;
        const { header, entries } = await parse(bytes);
        if (header.version !== version) throw new Error(`it is of version ${header.version}`);
        const { savedAt, pages, lastChange } = header;
        return cache.restore(entries, { elapsedMs: Math.max(0, wallClock() - savedAt), pages, lastChange });
      } catch (error) {
        logger.warn({ err: error }, 'the cache snapshot was ignored');
        return 0;
      }
    },
  };
}

export type Snapshot = ReturnType<typeof createSnapshot>;

/** Lines of a header and entries, some at a time. */
async function* pieces(header: string, entries: Iterable<SavedEntry>): AsyncGenerator<string> {
  let lines = [header];
  for (const entry of entries) {
    lines.push(JSON.stringify(entry));
    if (lines.length < LINES_AT_ONCE) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
    // zlib's back-pressure alone does not give way: it buffers many pieces.
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield lines.join('\n');
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Throws for bytes that are not a whole snapshot. */
async function parse(bytes: Buffer) {
  const body = bytes.subarray(0, -DIGEST_BYTES);
  const digest = createHash('sha256').update(body).digest();
  if (!digest.equals(bytes.subarray(-DIGEST_BYTES))) throw new Error('its checksum does not fit');
  const [header = '', ...lines] = (await unzip(body)).toString('utf8').split('\n');
  return {
    header: headerSchema.parse(JSON.parse(header)),
    entries: lines.filter((line) => line !== '').map((line) => savedEntrySchema.parse(JSON.parse(line))),
  };
}

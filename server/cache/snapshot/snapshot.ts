import { z } from 'zod';
import { type SnapshotEntry, snapshotEntrySchema } from './snapshot-entry.ts';
import { createSnapshotFile } from './snapshot-file.ts';

/** The cache that a snapshot saves and restores. */
export interface SnapshotSource {
  /** Most recently used first. Iterated in pieces, so that a large cache does not block the event loop. */
  entries(): Iterable<SnapshotEntry>;
  /** Paths of cached pages, the most recently used first. */
  pages(): readonly string[];
  /** Id of the last invalidation of all instances that is applied to the entries; null where that cannot be said. */
  lastChange(): string | null;
  /** Returns how many entries were restored. */
  restore(saved: readonly SnapshotEntry[], header: SnapshotHeader): number;
}

/** A snapshot without its entries. */
export interface SnapshotHeader {
  /** Milliseconds since it was taken. */
  elapsedMs: number;
  pages: readonly string[];
  lastChange: string | null;
}

export interface SnapshotOptions {
  cache: SnapshotSource;
  /** The file's folder, created if it is missing. */
  dir: string;
  /** Of our model: a snapshot of another version is ignored, because its values may have another shape. */
  version: string;
  /** Wall-clock milliseconds: the only clock that runs while the process does not. */
  wallClock: () => number;
  logger: { warn(about: object, message: string): void };
}

/** Version of the layout: a header, then one entry a line, each as JSON. */
const FORMAT = 1;
const FILE = 'content-cache.snapshot';

const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  savedAt: z.number(),
  pages: z.array(z.string()).default([]),
  lastChange: z.string().nullable().default(null),
});

/**
 * Creates the snapshot that makes a restart warm, also while the upstream is down. Entries age by the wall clock while
 * the process is down; a clock set back makes none younger. No method rejects: without a snapshot the cache starts empty.
 */
export function createSnapshot({ cache, dir, version, wallClock, logger }: SnapshotOptions) {
  const file = createSnapshotFile(dir, FILE);
  let saving: Promise<boolean> | null = null;

  function* lines(): Generator<string> {
    const [pages, lastChange] = [cache.pages(), cache.lastChange()];
    yield JSON.stringify({ format: FORMAT, version, savedAt: wallClock(), pages, lastChange });
    for (const entry of cache.entries()) yield JSON.stringify(entry);
  }

  async function write(): Promise<boolean> {
    try {
      await file.write(lines());
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'the cache snapshot could not be written');
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
    /** Replaces the file. Resolves with whether that worked. Concurrent calls share one write. */
    save,

    /** Replaces the file with what is cached now: a write in progress may have begun before. */
    async saveCurrent(): Promise<boolean> {
      await saving;
      return save();
    },

    /** Restores the cache. Resolves with the number of entries; 0 where the file is missing or ignored. */
    async load(): Promise<number> {
      try {
        const saved = await file.read();
        if (saved === null) return 0;
        const { header, entries } = parse(saved);
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

/** Throws for lines that are not a snapshot. */
function parse([header = '', ...lines]: readonly string[]) {
  return {
    header: headerSchema.parse(JSON.parse(header)),
    entries: lines.map((line) => snapshotEntrySchema.parse(JSON.parse(line))),
  };
}

import { z } from 'zod';
import { type SnapshotEntry, snapshotEntrySchema } from './snapshot-entry.ts';
import { createSnapshotFile } from './snapshot-file.ts';

/** What a snapshot is taken of and put back into. */
export interface SnapshotSource {
  /** Most recently used first. Asked for piece by piece, so that a large cache does not hold the event loop. */
  entries(): Iterable<SnapshotEntry>;
  /** Addresses of finished pages that readers ask for, the latest first. */
  pages(): readonly string[];
  /** The last change by an operator, of all instances', that the entries know of; null where that cannot be said. */
  lastChange(): string | null;
  /** Answers how many entries are of use. */
  restore(saved: readonly SnapshotEntry[], about: SnapshotHeader): number;
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

/** Layout of the lines: JSON, a header and an entry each. */
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
 * The cache on disk, so that a restart is warm, also while the upstream is down. Ages go on by the wall clock's
 * difference, never backwards. Neither method rejects: a cache without its snapshot is a cold one, no broken one.
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

/** Throws for lines that are no snapshot. */
function parse([header = '', ...lines]: readonly string[]) {
  return {
    header: headerSchema.parse(JSON.parse(header)),
    entries: lines.map((line) => snapshotEntrySchema.parse(JSON.parse(line))),
  };
}

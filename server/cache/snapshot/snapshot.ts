import { join } from 'node:path';
import { type ZodType, z } from 'zod';
import { readSnapshotFile, writeSnapshotFile } from './snapshot-file.ts';

export interface SnapshotOptions<A extends object, L> {
  /** The file's folder, created if it is missing. */
  dir: string;
  /** Name of the file. */
  name: string;
  /** Version of what is saved: a snapshot of another version is ignored, because its values may have another shape. */
  version: string;
  about: ZodType<A>;
  line: ZodType<L>;
  /** What is saved. Lines are iterated in pieces, so that many do not block the event loop. */
  content: () => { about: A; lines: Iterable<L> };
  /** `elapsedMs`: time since it was taken. */
  restore: (saved: { about: A; lines: readonly L[]; elapsedMs: number }) => void;
  /** Wall-clock milliseconds: the only clock that runs while the process does not. */
  wallClock: () => number;
  logger: { warn(about: object, message: string): void };
}

/** Keeps something on disk across restarts. */
export interface Snapshot {
  /** Replaces the file by what is there now. Concurrent calls share one write. */
  save(): Promise<void>;
  /** Restores what was saved. A missing, damaged or other file is left alone. */
  load(): Promise<void>;
}

/** Version of the layout: a header, then lines, each as JSON. */
const FORMAT = 1;

const headerSchema = z.object({ format: z.literal(FORMAT), version: z.string(), savedAt: z.number() });

/**
 * Creates a snapshot. What is saved ages by the wall clock while the process is down; a clock set back makes nothing
 * younger. No method rejects: without a usable file or disk, a process starts without what an earlier one knew.
 */
export function createSnapshot<A extends object, L>(options: SnapshotOptions<A, L>): Snapshot {
  const { dir, name, version, about, line, content, restore, wallClock, logger } = options;
  const path = join(dir, name);
  let saving: Promise<void> | null = null;

  function* lines(): Generator<string> {
    const saved = content();
    yield JSON.stringify({ format: FORMAT, version, savedAt: wallClock(), ...saved.about });
    for (const one of saved.lines) yield JSON.stringify(one);
  }

  async function write(): Promise<void> {
    try {
      await writeSnapshotFile(path, lines());
    } catch (error) {
      logger.warn({ err: error, file: name }, 'the snapshot could not be written');
    }
  }

  return {
    async save() {
      // A write in progress may have begun before the last change.
      await saving;
      saving ??= write().finally(() => {
        saving = null;
      });
      await saving;
    },

    async load() {
      try {
        const [first, ...rest] = (await readSnapshotFile(path)) ?? [];
        if (first === undefined) return;
        const json: unknown = JSON.parse(first);
        const header = headerSchema.parse(json);
        if (header.version !== version) throw new Error(`it is of version ${header.version}`);
        restore({
          about: about.parse(json),
          lines: rest.map((text) => line.parse(JSON.parse(text))),
          elapsedMs: Math.max(0, wallClock() - header.savedAt),
        });
      } catch (error) {
        logger.warn({ err: error, file: name }, 'the snapshot was ignored');
      }
    },
  };
}

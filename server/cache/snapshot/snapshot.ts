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
  /** While it returns the same, nothing is written. Default: each save writes. */
  revision?: () => number;
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
  const { dir, name, version, about, line, content, restore, revision, wallClock, logger } = options;
  const path = join(dir, name);
  let saving: Promise<void> | null = null;
  let lastSaved: number | undefined;

  function* lines(): Generator<string> {
    const saved = content();
    yield JSON.stringify({ format: FORMAT, version, savedAt: wallClock(), ...saved.about });
    for (const one of saved.lines) yield JSON.stringify(one);
  }

  async function write(): Promise<void> {
    const current = revision?.();
    if (current !== undefined && current === lastSaved) return;
    try {
      await writeSnapshotFile(path, lines());
      lastSaved = current;
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
        let header: z.infer<typeof headerSchema> | undefined;
        let known: A | undefined;
        const saved: L[] = [];
        for await (const text of readSnapshotFile(path)) {
          const json: unknown = JSON.parse(text);
          if (header) saved.push(line.parse(json));
          else {
            header = headerSchema.parse(json);
            if (header.version !== version) throw new Error(`it is of version ${header.version}`);
            known = about.parse(json);
          }
        }
        if (!header || !known) return;
        const elapsedMs = Math.max(0, wallClock() - header.savedAt);
        restore({ about: known, lines: saved, elapsedMs });
        lastSaved = revision?.();
      } catch (error) {
        logger.warn({ err: error, file: name }, 'the snapshot was ignored');
      }
    },
  };
}

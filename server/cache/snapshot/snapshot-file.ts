import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Purge } from '#server/cache/cache-events.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { readIfExists } from '#server/storage/files.ts';
import type { Clock } from '#server/time.ts';
import { readJsonLines, writeJsonLines } from './gzipped-json-lines.ts';
import { type SnapshotEntry, snapshotEntrySchema } from './snapshot-entry.ts';

/** File of the cached content in `DATA_DIR`. */
const CONTENT_SNAPSHOT = 'content-cache.snapshot';
/** Beside it: purges that it does not know of, as lines of JSON. */
const PURGES = 'content-cache.purges';

/** A snapshot is at most 30 seconds old; the rest is the time for writing it. */
const INTERVAL_MS = 20_000;
/** Purges between two snapshots. More become one of everything. */
const MAX_PURGES = 1_000;

/** The first line; entries follow, a line of JSON each. */
const headerSchema = z.object({
  version: z.string(),
  savedAt: z.number(),
  lastPurge: z.string().nullable(),
});

export interface SnapshotOptions {
  cache: Pick<ContentCache, 'entries' | 'entryChanges' | 'restore' | 'purge' | 'onPurge'>;
  /** Returns the id of the last purge of all instances. */
  lastPurge: () => string | null;
  /** Returns the purges that the other instances do not know of yet. */
  unsentPurges: () => Purge[];
  /** The file's folder, created if it is missing. */
  dir: string;
  /** Version of the models and of this file: a snapshot of another one is ignored, because it may have another shape. */
  version: string;
  /** Its wall time is used: it alone goes on while the process does not run. */
  clock: Clock;
  logger: { warn(about: object, message: string): void };
}

/**
 * Restores the cached content from its snapshot, and saves it from time to time. What is saved ages by the wall clock while
 * the process is down; a clock set back makes nothing younger. Purges since the last snapshot, and those that other instances
 * do not know of, stand in a file beside it, and are repeated on what is restored: what was purged does not come back with a
 * process that is killed. Nothing rejects: without a usable file or disk, a process starts without what an earlier one knew.
 */
export async function openSnapshot(options: SnapshotOptions) {
  const { cache, lastPurge, unsentPurges, dir, version, clock, logger } = options;
  const path = join(dir, CONTENT_SNAPSHOT);
  const purgesPath = join(dir, PURGES);
  let saving = Promise.resolve();
  let savedChanges: number | undefined;
  /** Purges since the last snapshot was begun. */
  let purges: string[] = [];

  function* lines(): Generator<object> {
    yield { version, savedAt: clock.now(), lastPurge: lastPurge() };
    yield* cache.entries();
  }

  async function write(): Promise<void> {
    const changes = cache.entryChanges();
    if (changes === savedChanges) return;
    const before = purges;
    purges = unsentPurges().map(lineOf);
    try {
      await writeJsonLines(path, lines());
      savedChanges = changes;
    } catch (error) {
      purges.unshift(...before);
      logger.warn({ err: error, file: CONTENT_SNAPSHOT }, 'the snapshot could not be written');
      return;
    }
    writeOrRemoveSnapshot(writePurges);
  }

  function writePurges(): void {
    if (purges.length === 0) rmSync(purgesPath, { force: true });
    else writeFileSync(purgesPath, purges.join(''), { mode: 0o600 });
  }

  /** Writes purges. Removes the snapshot where that fails: without them it would bring back what they removed. */
  function writeOrRemoveSnapshot(write: () => void): void {
    try {
      write();
    } catch (error) {
      logger.warn({ err: error, file: PURGES }, 'a purge could not be written: the snapshot is removed');
      savedChanges = undefined;
      // A full disk allows that.
      void rm(path, { force: true }).catch(() => undefined);
    }
  }

  /** Writes at once: the operator who purges is told that it is done. */
  function rememberPurge(purge: Purge): void {
    if (purge.assumed) return;
    const line = lineOf(purge);
    const isFull = purges.push(line) > MAX_PURGES;
    if (isFull) purges = [lineOf({ all: true })];
    writeOrRemoveSnapshot(isFull ? writePurges : () => appendFileSync(purgesPath, line, { mode: 0o600 }));
  }

  /** Returns the id of the last purge that the snapshot knew of, and those since, which it repeats. */
  async function load(): Promise<{ lastPurge: string | null; purges: Purge[] }> {
    try {
      let header: z.infer<typeof headerSchema> | undefined;
      const saved: SnapshotEntry[] = [];
      for await (const text of readJsonLines(path)) {
        const json: unknown = JSON.parse(text);
        if (header) saved.push(snapshotEntrySchema.parse(json));
        else {
          header = headerSchema.parse(json);
          if (header.version !== version) throw new Error(`it is of version ${header.version}`);
        }
      }
      if (header) {
        const known = `${(await readIfExists(purgesPath)) ?? ''}`.split('\n').filter(Boolean);
        const since = known.map((line) => Purge.parse(JSON.parse(line)));
        cache.restore(saved, Math.max(0, clock.now() - header.savedAt));
        savedChanges = cache.entryChanges();
        for (const purge of since) cache.purge(purge);
        return { lastPurge: header.lastPurge, purges: since };
      }
    } catch (error) {
      logger.warn({ err: error, file: CONTENT_SNAPSHOT }, 'the snapshot was ignored');
    }
    return { lastPurge: null, purges: [] };
  }

  /** One write at a time: the next one finds whether something has changed since. */
  function save(): Promise<void> {
    saving = saving.then(write);
    return saving;
  }

  const restored = await load();
  cache.onPurge(rememberPurge);
  const interval = setInterval(() => void save(), INTERVAL_MS).unref();
  return {
    ...restored,
    /** Replaces the file by what is there now, if something has changed. */
    save,
    async close(): Promise<void> {
      clearInterval(interval);
      await save();
    },
  };
}

function lineOf({ tags, keys, all, soft }: Purge): string {
  return `${JSON.stringify({ tags, keys, all, soft })}\n`;
}

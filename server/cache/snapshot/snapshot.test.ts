import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSnapshot, type Snapshot } from './snapshot.ts';
import { type SnapshotEntry, snapshotEntrySchema } from './snapshot-entry.ts';

let dir: string;
let file: string;
let wall: number;
let restored: { saved: readonly SnapshotEntry[]; elapsedMs: number }[];
let warnings: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'snapshot-'));
  file = join(dir, 'content-cache.snapshot');
  wall = 1_000_000;
  restored = [];
  warnings = [];
});

afterEach(() => rm(dir, { recursive: true, force: true }));

function entry(index: number): SnapshotEntry {
  return {
    key: `article/news/${index}`,
    resource: 'article',
    tags: ['article', `post:${index}`],
    value: { title: `Größe № ${index}\n“quoted”` },
    ageMs: index,
    jitter: 1.05,
    expired: index % 2 === 0,
  };
}

function snapshotOf(
  entries: Iterable<SnapshotEntry>,
  {
    version = 'one',
    into = dir,
    revision,
  }: { version?: string; into?: string; revision?: () => number } = {},
): Snapshot {
  return createSnapshot({
    dir: into,
    name: 'content-cache.snapshot',
    version,
    about: z.object({ pages: z.array(z.string()) }),
    line: snapshotEntrySchema,
    content: () => ({ about: { pages: ['/', '/topic/news'] }, lines: entries }),
    restore({ about, lines, elapsedMs }) {
      expect(about).toEqual({ pages: ['/', '/topic/news'] });
      restored.push({ saved: lines, elapsedMs });
    },
    ...(revision && { revision }),
    wallClock: () => wall,
    logger: { warn: (_details, message) => void warnings.push(message) },
  });
}

const ENTRIES = Array.from({ length: 120 }, (_, index) => entry(index));

describe('a snapshot', () => {
  it('restores every entry unchanged, in the same order', async () => {
    await snapshotOf(ENTRIES).save();
    await snapshotOf([]).load();
    expect(restored).toEqual([{ saved: ENTRIES, elapsedMs: 0 }]);
    expect(warnings).toEqual([]);
  });

  it('of an empty cache can be loaded', async () => {
    await snapshotOf([]).save();
    await snapshotOf([]).load();
    expect(restored).toEqual([{ saved: [], elapsedMs: 0 }]);
  });

  it('gives the time since it was taken', async () => {
    await snapshotOf(ENTRIES).save();
    wall += 45_000;
    await snapshotOf([]).load();
    expect(restored[0]?.elapsedMs).toBe(45_000);
  });

  it('makes no entry younger when the wall clock was set back', async () => {
    await snapshotOf(ENTRIES).save();
    wall -= 86_400_000;
    await snapshotOf([]).load();
    expect(restored[0]?.elapsedMs).toBe(0);
  });

  it('is readable by its owner alone, and leaves no temporary file', async () => {
    await snapshotOf(ENTRIES).save();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dir)).toEqual(['content-cache.snapshot']);
  });

  it('creates its folder', async () => {
    const into = join(dir, 'not', 'there');
    await snapshotOf(ENTRIES, { into }).save();
    await snapshotOf([], { into }).load();
    expect(restored[0]?.saved).toEqual(ENTRIES);
  });

  it('is written once for concurrent saves', async () => {
    let taken = 0;
    function* counted(): Generator<SnapshotEntry> {
      taken++;
      yield entry(1);
    }
    const entries = { [Symbol.iterator]: counted };
    const snapshot = snapshotOf(entries);
    await Promise.all([snapshot.save(), snapshot.save()]);
    expect(taken).toBe(1);
    await snapshot.save();
    expect(taken).toBe(2);
  });

  it('includes what changed while an earlier one was written', async () => {
    const entries = [entry(1)];
    const snapshot = snapshotOf(entries);
    const first = snapshot.save();
    await new Promise((resolve) => setImmediate(resolve));
    entries.push(entry(2));
    await Promise.all([first, snapshot.save()]);
    await snapshotOf([]).load();
    expect(restored[0]?.saved).toEqual([entry(1), entry(2)]);
  });

  it('is not written again while its revision is the same', async () => {
    let revision = 1;
    const snapshot = snapshotOf(ENTRIES, { revision: () => revision });
    await snapshot.save();
    await rm(file);
    await snapshot.save();
    expect(await readdir(dir)).toEqual([]);
    revision = 2;
    await snapshot.save();
    expect(await readdir(dir)).toEqual(['content-cache.snapshot']);
  });
});

describe('an unusable snapshot', () => {
  it('is not logged when there is none', async () => {
    await snapshotOf([]).load();
    expect(restored).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is ignored and logged once when it is of another version', async () => {
    await snapshotOf(ENTRIES, { version: 'old' }).save();
    await snapshotOf([], { version: 'new' }).load();
    expect(restored).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it.each(['first', 'middle', 'last'] as const)(
    'is ignored and logged once when its %s byte is wrong',
    async (place) => {
      await snapshotOf(ENTRIES).save();
      const bytes = await readFile(file);
      const at = { first: 0, middle: bytes.length >> 1, last: bytes.length - 1 }[place];
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await writeFile(file, bytes);
      await snapshotOf([]).load();
      expect(restored).toEqual([]);
      expect(warnings).toHaveLength(1);
    },
  );

  it.each([0, 5, 32, 100])(
    'is ignored and logged once when it is truncated after %i bytes',
    async (length) => {
      await snapshotOf(ENTRIES).save();
      await truncate(file, length);
      await snapshotOf([]).load();
      expect(restored).toEqual([]);
      expect(warnings).toHaveLength(1);
    },
  );
});

describe('a snapshot that cannot be written', () => {
  it('does not reject, and is logged once', async () => {
    const into = join(dir, 'a-file');
    await writeFile(into, '');
    await snapshotOf(ENTRIES, { into }).save();
    expect(warnings).toEqual(['the snapshot could not be written']);
  });

  it('leaves the previous file', async () => {
    await snapshotOf(ENTRIES).save();
    function* broken(): Generator<SnapshotEntry> {
      yield entry(1);
      throw new Error('no more');
    }
    await snapshotOf({ [Symbol.iterator]: broken }).save();
    expect(warnings).toEqual(['the snapshot could not be written']);
    expect(await readdir(dir)).toEqual(['content-cache.snapshot']);
    await snapshotOf([]).load();
    expect(restored[0]?.saved).toEqual(ENTRIES);
  });
});

import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSnapshot, type Snapshot } from './snapshot.ts';
import type { SnapshotEntry } from './snapshot-entry.ts';

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
  { version = 'one', into = dir }: { version?: string; into?: string } = {},
): Snapshot {
  return createSnapshot({
    cache: {
      entries: () => entries,
      pages: () => ['/', '/topic/news'],
      lastChange: () => '7-1',
      restore(saved, { elapsedMs, pages, lastChange }) {
        expect(lastChange).toBe('7-1');
        expect(pages).toEqual(['/', '/topic/news']);
        restored.push({ saved, elapsedMs });
        return saved.length;
      },
    },
    dir: into,
    version,
    wallClock: () => wall,
    logger: { warn: (_details, message) => void warnings.push(message) },
  });
}

const ENTRIES = Array.from({ length: 120 }, (_, index) => entry(index));

describe('a snapshot', () => {
  it('restores every entry unchanged, in the same order', async () => {
    expect(await snapshotOf(ENTRIES).save()).toBe(true);
    expect(await snapshotOf([]).load()).toBe(120);
    expect(restored).toEqual([{ saved: ENTRIES, elapsedMs: 0 }]);
    expect(warnings).toEqual([]);
  });

  it('of an empty cache can be loaded', async () => {
    await snapshotOf([]).save();
    expect(await snapshotOf([]).load()).toBe(0);
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
    expect(await snapshotOf(ENTRIES, { into }).save()).toBe(true);
    expect(await snapshotOf([], { into }).load()).toBe(120);
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

  it('yields to the event loop between entries', async () => {
    let turned = false;
    let turnedMeanwhile = false;
    function* observed(): Generator<SnapshotEntry> {
      setImmediate(() => {
        turned = true;
      });
      yield* ENTRIES;
      turnedMeanwhile = turned;
    }
    await snapshotOf({ [Symbol.iterator]: observed }).save();
    expect(turnedMeanwhile).toBe(true);
  });
});

describe('an unusable snapshot', () => {
  it('is not logged when there is none', async () => {
    expect(await snapshotOf([]).load()).toBe(0);
    expect(warnings).toEqual([]);
  });

  it('is ignored and logged once when it is of another version', async () => {
    await snapshotOf(ENTRIES, { version: 'old' }).save();
    expect(await snapshotOf([], { version: 'new' }).load()).toBe(0);
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
      expect(await snapshotOf([]).load()).toBe(0);
      expect(restored).toEqual([]);
      expect(warnings).toHaveLength(1);
    },
  );

  it.each([0, 5, 32, 100])(
    'is ignored and logged once when it is truncated after %i bytes',
    async (length) => {
      await snapshotOf(ENTRIES).save();
      await truncate(file, length);
      expect(await snapshotOf([]).load()).toBe(0);
      expect(restored).toEqual([]);
      expect(warnings).toHaveLength(1);
    },
  );
});

describe('a snapshot that cannot be written', () => {
  it('does not reject, and is logged once', async () => {
    const into = join(dir, 'a-file');
    await writeFile(into, '');
    expect(await snapshotOf(ENTRIES, { into }).save()).toBe(false);
    expect(warnings).toHaveLength(1);
  });

  it('leaves the previous file', async () => {
    await snapshotOf(ENTRIES).save();
    function* broken(): Generator<SnapshotEntry> {
      yield entry(1);
      throw new Error('no more');
    }
    expect(await snapshotOf({ [Symbol.iterator]: broken }).save()).toBe(false);
    expect(await readdir(dir)).toEqual(['content-cache.snapshot']);
    expect(await snapshotOf([]).load()).toBe(120);
  });
});

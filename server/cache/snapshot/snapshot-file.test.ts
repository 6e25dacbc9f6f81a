import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Purge } from '#server/cache/cache-events.ts';
import { type FakeClock, fakeClock } from '../../../tests/fixtures/clocks.ts';
import type { SnapshotEntry } from './snapshot-entry.ts';
import { openSnapshot } from './snapshot-file.ts';

let dir: string;
let file: string;
let clock: FakeClock;
let restored: { saved: readonly SnapshotEntry[]; elapsedMs: number }[];
let repeated: Purge[];
let unsent: Purge[];
let warnings: string[];
let purge: (purge: Purge) => void;
type Snapshot = Awaited<ReturnType<typeof openSnapshot>>;
const open: Snapshot[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'snapshot-'));
  file = join(dir, 'content-cache.snapshot');
  clock = fakeClock({ now: 1_000_000 });
  restored = [];
  repeated = [];
  unsent = [];
  warnings = [];
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((one) => one.close()));
  await rm(dir, { recursive: true, force: true });
});

function entry(index: number): SnapshotEntry {
  return {
    key: `article/news/${index}`,
    resource: 'article',
    tags: ['article', `post:${index}`],
    value: { title: `Größe № ${index}\n“quoted”` },
    ageMs: index,
    jitter: 1.05,
    softPurged: index % 2 === 0,
  };
}

interface SnapshotUnderTest {
  version?: string;
  into?: string;
  /** Default: each save finds a change. */
  changes?: () => number;
}

/** `entries`: of the cache. It keeps nothing that is restored. */
async function snapshotOf(
  entries: Iterable<SnapshotEntry>,
  { version = 'one', into = dir, changes = () => Number.NaN }: SnapshotUnderTest = {},
): Promise<Snapshot> {
  const snapshot = await openSnapshot({
    cache: {
      *entries() {
        yield* entries;
      },
      entryChanges: changes,
      restore: (saved, elapsedMs) => void restored.push({ saved, elapsedMs }),
      purge: (again) => repeated.push(again),
      onPurge(listener) {
        purge = (one) => listener({ ...one, mayBePurged: () => false });
        return () => undefined;
      },
    },
    lastPurge: () => null,
    unsentPurges: () => unsent,
    dir: into,
    version,
    clock,
    logger: { warn: (_details, message) => void warnings.push(message) },
  });
  open.push(snapshot);
  return snapshot;
}

/** Saves entries as a process does. */
const saved = async (entries: Iterable<SnapshotEntry>, options?: SnapshotUnderTest) =>
  (await snapshotOf(entries, options)).save();

const ENTRIES = Array.from({ length: 120 }, (_, index) => entry(index));

describe('a snapshot', () => {
  it('restores every entry unchanged, in the same order', async () => {
    await saved(ENTRIES);
    await snapshotOf([]);
    expect(restored).toEqual([{ saved: ENTRIES, elapsedMs: 0 }]);
    expect(warnings).toEqual([]);
  });

  it('of an empty cache can be loaded', async () => {
    await saved([]);
    await snapshotOf([]);
    expect(restored).toEqual([{ saved: [], elapsedMs: 0 }]);
  });

  it('gives the time since it was taken', async () => {
    await saved(ENTRIES);
    clock.wallMs += 45_000;
    await snapshotOf([]);
    expect(restored[0]?.elapsedMs).toBe(45_000);
  });

  it('makes no entry younger when the wall clock was set back', async () => {
    await saved(ENTRIES);
    clock.wallMs -= 86_400_000;
    await snapshotOf([]);
    expect(restored[0]?.elapsedMs).toBe(0);
  });

  it('is readable by its owner alone, and leaves no temporary file', async () => {
    await saved(ENTRIES);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dir)).toEqual(['content-cache.snapshot']);
  });

  it('creates its folder', async () => {
    const into = join(dir, 'not', 'there');
    await saved(ENTRIES, { into });
    await snapshotOf([], { into });
    expect(restored[0]?.saved).toEqual(ENTRIES);
  });

  it('is written once for concurrent saves', async () => {
    let taken = 0;
    function* counted(): Generator<SnapshotEntry> {
      taken++;
      yield entry(1);
    }
    const entries = { [Symbol.iterator]: counted };
    let changes = 1;
    const snapshot = await snapshotOf(entries, { changes: () => changes });
    await Promise.all([snapshot.save(), snapshot.save()]);
    expect(taken).toBe(1);
    changes = 2;
    await snapshot.save();
    expect(taken).toBe(2);
  });

  it('includes what changed while an earlier one was written', async () => {
    const entries = [entry(1)];
    const snapshot = await snapshotOf(entries);
    const first = snapshot.save();
    await new Promise((resolve) => setImmediate(resolve));
    entries.push(entry(2));
    await Promise.all([first, snapshot.save()]);
    await snapshotOf([]);
    expect(restored[0]?.saved).toEqual([entry(1), entry(2)]);
  });

  it('is not written again while nothing has changed', async () => {
    let changes = 1;
    const snapshot = await snapshotOf(ENTRIES, { changes: () => changes });
    await snapshot.save();
    await rm(file);
    await snapshot.save();
    expect(await readdir(dir)).toEqual([]);
    changes = 2;
    await snapshot.save();
    expect(await readdir(dir)).toEqual(['content-cache.snapshot']);
  });
});

describe('an unusable snapshot', () => {
  it('is not logged when there is none', async () => {
    await snapshotOf([]);
    expect(restored).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is ignored and logged once when it is of another version', async () => {
    await saved(ENTRIES, { version: 'old' });
    await snapshotOf([], { version: 'new' });
    expect(restored).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it.each(['first', 'middle', 'last'] as const)(
    'is ignored and logged once when its %s byte is wrong',
    async (place) => {
      await saved(ENTRIES);
      const bytes = await readFile(file);
      const at = { first: 0, middle: bytes.length >> 1, last: bytes.length - 1 }[place];
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await writeFile(file, bytes);
      await snapshotOf([]);
      expect(restored).toEqual([]);
      expect(warnings).toHaveLength(1);
    },
  );

  it.each([0, 5, 32, 100])(
    'is ignored and logged once when it is truncated after %i bytes',
    async (length) => {
      await saved(ENTRIES);
      await truncate(file, length);
      await snapshotOf([]);
      expect(restored).toEqual([]);
      expect(warnings).toHaveLength(1);
    },
  );
});

describe('a snapshot that cannot be written', () => {
  it('does not reject, and is logged once', async () => {
    const into = join(dir, 'a-file');
    const snapshot = await snapshotOf(ENTRIES, { into });
    await writeFile(into, '');
    await snapshot.save();
    expect(warnings).toEqual(['the snapshot could not be written']);
  });

  it('leaves the previous file', async () => {
    await saved(ENTRIES);
    function* broken(): Generator<SnapshotEntry> {
      yield entry(1);
      throw new Error('no more');
    }
    await saved({ [Symbol.iterator]: broken });
    expect(warnings).toEqual(['the snapshot could not be written']);
    expect(await readdir(dir)).toEqual(['content-cache.snapshot']);
    await snapshotOf([]);
    expect(restored[0]?.saved).toEqual(ENTRIES);
  });
});

it('is saved every twenty seconds, however often something is purged', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let taken = 0;
  function* counted(): Generator<SnapshotEntry> {
    taken++;
    yield entry(1);
  }
  const snapshot = await snapshotOf({ [Symbol.iterator]: counted });
  for (let second = 1; second < 20; second++) {
    purge({ tags: ['article'] });
    vi.advanceTimersByTime(1_000);
  }
  expect(taken).toBe(0);
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => taken).toBe(1);
  await snapshot.close();
  vi.advanceTimersByTime(60_000);
  expect(taken).toBe(2);
});

describe('a purge', () => {
  const PURGES = [{ tags: ['article'], keys: [], all: false, soft: true }, { all: true }];

  it('is repeated by each start until a snapshot was begun after it', async () => {
    await saved(ENTRIES);
    for (const one of PURGES) purge(one);
    await snapshotOf([]);
    expect(repeated).toEqual(PURGES);
    expect((await stat(join(dir, 'content-cache.purges'))).mode & 0o777).toBe(0o600);

    await saved(ENTRIES);
    repeated = [];
    await snapshotOf([]);
    expect(repeated).toEqual([]);
    expect(await readdir(dir)).toEqual(['content-cache.snapshot']);
  });

  it('that the other instances do not know of is repeated by each start, and handed to what tells them', async () => {
    unsent = [{ tags: ['article'] }];
    await saved(ENTRIES);
    expect((await snapshotOf([])).purges).toEqual(unsent);
    expect(repeated).toEqual(unsent);
  });

  it('that was assumed is not repeated', async () => {
    await saved(ENTRIES);
    purge({ all: true, soft: true, assumed: true });
    await snapshotOf([]);
    expect(repeated).toEqual([]);
  });

  it('while a snapshot is written is repeated on that', async () => {
    function* purged(): Generator<SnapshotEntry> {
      yield entry(1);
      purge({ keys: [entry(1).key] });
    }
    const snapshot = await snapshotOf({ [Symbol.iterator]: purged });
    purge({ tags: ['before'] });
    await snapshot.save();
    await snapshotOf([]);
    expect(repeated).toEqual([{ keys: [entry(1).key] }]);
  });

  it('is kept where the snapshot fails', async () => {
    await saved(ENTRIES);
    function* broken(): Generator<SnapshotEntry> {
      yield entry(1);
      throw new Error('no more');
    }
    const snapshot = await snapshotOf({ [Symbol.iterator]: broken });
    purge({ tags: ['article'] });
    await snapshot.save();
    await snapshotOf([]);
    expect(repeated).toEqual([{ tags: ['article'] }]);
  });

  it('is one of everything beyond a thousand', async () => {
    await saved(ENTRIES);
    for (let index = 0; index <= 1_000; index++) purge({ tags: [`post:${index}`] });
    purge({ tags: ['last'] });
    await snapshotOf([]);
    expect(repeated).toEqual([{ all: true }, { tags: ['last'] }]);
  });

  it('that cannot be written removes the snapshot', async () => {
    await saved(ENTRIES);
    await mkdir(join(dir, 'content-cache.purges'));
    purge({ tags: ['article'] });
    await expect.poll(() => readdir(dir)).toEqual(['content-cache.purges']);
    expect(warnings).toEqual(['a purge could not be written: the snapshot is removed']);
  });

  it('that cannot be written removes a snapshot too that was begun before it', async () => {
    function* purged(): Generator<SnapshotEntry> {
      yield entry(1);
      purge({ keys: [entry(1).key] });
    }
    const snapshot = await snapshotOf({ [Symbol.iterator]: purged });
    await mkdir(join(dir, 'content-cache.purges'));
    await snapshot.save();
    await expect.poll(() => readdir(dir)).toEqual(['content-cache.purges']);
  });

  it('that cannot be read makes the start ignore the snapshot', async () => {
    await saved(ENTRIES);
    await writeFile(join(dir, 'content-cache.purges'), '{"tags":["art');
    await snapshotOf([]);
    expect(restored).toEqual([]);
    expect(warnings).toEqual(['the snapshot was ignored']);
  });
});

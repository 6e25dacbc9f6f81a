import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeSnapshotFile } from '#server/cache/snapshot/snapshot-file.ts';
import { createAccessHistory } from './access-history.ts';
import { ACCESS_HISTORY_FILE, createAccessHistorySnapshot } from './access-history-snapshot.ts';

const HOUR_MS = 3_600_000;

let dir: string;
let wallMs: number;
let warnings: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'access-history-'));
  wallMs = 1_000 * HOUR_MS;
  warnings = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Starts a process: its monotonic clock begins anew. */
function start({ folder = dir, budget = 100_000 } = {}) {
  const at = { ms: 0 };
  const history = createAccessHistory({ clock: () => at.ms, budget });
  const snapshot = createAccessHistorySnapshot({
    history,
    dir: folder,
    wallClock: () => wallMs,
    logger: { warn: (_about, message) => void warnings.push(message) },
  });
  return { at, history, snapshot };
}

/** Reads two articles each ten seconds for ten minutes; one of them changes once. */
async function recordTenMinutes() {
  const process = start();
  for (let second = 0; second < 600; second += 10) {
    process.at.ms = second * 1000;
    process.history.read('article', 'article/one', 3, second === 0 ? null : 0);
    process.history.read('article', 'article/two', 1, second === 0 ? null : 0);
    process.history.read('home', 'home', 20, null);
  }
  process.history.changed('article', 'article/one', 100_000, 101_000);
  process.at.ms = 600_000;
  return process;
}

it('a new process knows the reads of the one before, on its own clock', async () => {
  const before = await recordTenMinutes();
  await before.snapshot.save();
  const told = before.history.recorded('article');
  wallMs += 5_000;
  const after = start();
  after.at.ms = 2_300;
  await after.snapshot.load();
  const restored = after.history.recorded('article');
  expect(restored).toMatchObject({ reads: 240, sampleRate: 1, busiest: [] });
  expect(restored.until - restored.since).toBeCloseTo(600, -1);
  const seconds = restored.since - told.since;
  expect(restored.sample).toEqual(
    told.sample.map(({ runs, cold, changes, cachedSince }) => ({
      runs: runs.map((value, index) => (index % 3 === 0 ? value + seconds : value)),
      cold: cold.map((at) => at + seconds),
      changes: changes.map((at) => at + seconds),
      cachedSince,
    })),
  );
  expect(after.history.recorded('home').reads).toBe(1_200);
});

it('goes on with the same keys', async () => {
  const before = await recordTenMinutes();
  await before.snapshot.save();
  const after = start();
  await after.snapshot.load();
  after.at.ms = 5_000;
  after.history.read('article', 'article/one', 7, null);
  const { reads, sample } = after.history.recorded('article');
  expect(reads).toBe(247);
  expect(sample).toHaveLength(2);
});

it('the time between two processes is none of the record: rates are of the time that was recorded', async () => {
  const before = await recordTenMinutes();
  await before.snapshot.save();
  wallMs += HOUR_MS;
  const after = start();
  await after.snapshot.load();
  const { since, until } = after.history.recorded('article');
  expect(until - since).toBeLessThan(602);
});

it('what is older than six hours is not restored', async () => {
  const before = await recordTenMinutes();
  await before.snapshot.save();
  wallMs += 7 * HOUR_MS;
  const after = start();
  await after.snapshot.load();
  expect(after.history.recorded('article').reads).toBe(0);
});

it('a wall clock that was set back restores it', async () => {
  const before = await recordTenMinutes();
  await before.snapshot.save();
  wallMs -= 48 * HOUR_MS;
  const after = start();
  await after.snapshot.load();
  expect(after.history.recorded('article').reads).toBe(240);
});

it('stays within its budget on disk and in memory, whatever was saved', async () => {
  const before = start();
  for (let key = 0; key < 20_000; key++) before.history.read('article', `article/${key}`, 1, null);
  await before.snapshot.save();
  expect((await stat(join(dir, ACCESS_HISTORY_FILE))).size).toBeLessThan(1_000_000);
  const after = start({ budget: 8_000 });
  after.at.ms = 10_000;
  await after.snapshot.load();
  const { sample, busiest, sampleRate, reads } = after.history.recorded('article');
  expect(4 * (sample.length + busiest.length)).toBeLessThanOrEqual(8_000);
  expect(sampleRate).toBeLessThan(1);
  expect(reads).toBe(20_000);
});

it('holds no search term', async () => {
  const { history, snapshot } = start();
  history.read('search', 'search/all/typed', 1, null);
  history.read('article', 'article/one', 1, null);
  expect(JSON.stringify([...history.saved()])).not.toContain('typed');
  await snapshot.save();
  const after = start();
  await after.snapshot.load();
  expect([after.history.recorded('article').reads, after.history.recorded('search').reads]).toEqual([1, 0]);
});

it('is readable by its owner alone', async () => {
  const { snapshot } = await recordTenMinutes();
  await snapshot.save();
  expect((await stat(join(dir, ACCESS_HISTORY_FILE))).mode & 0o777).toBe(0o600);
});

it('writes nothing where nothing was read since', async () => {
  const { snapshot, history } = await recordTenMinutes();
  await snapshot.save();
  const file = join(dir, ACCESS_HISTORY_FILE);
  await rm(file);
  await snapshot.save();
  await expect(stat(file)).rejects.toThrow('ENOENT');
  history.read('home', 'home', 1, 0);
  await snapshot.save();
  expect((await stat(file)).size).toBeGreaterThan(0);
});

describe('a file that cannot be used is ignored with one line in the log', () => {
  async function writeLines(lines: readonly string[]): Promise<void> {
    await writeSnapshotFile(join(dir, ACCESS_HISTORY_FILE), lines);
  }
  const header = () => JSON.stringify({ format: 1, version: '2', savedAt: wallMs });
  const accesses = { runs: [], cold: [], changes: [], cachedSince: null };
  const window = { resource: 'article', since: 0, now: 600, threshold: 1, total: accesses };
  const key = { key: 'article/one', isBusy: false, history: { ...accesses, runs: ['a', 1, 1] } };

  it.each<[string, () => Promise<void>]>([
    ['cut short', () => truncate(join(dir, ACCESS_HISTORY_FILE), 40)],
    ['empty', () => writeFile(join(dir, ACCESS_HISTORY_FILE), '')],
    ['of another kind', () => writeFile(join(dir, ACCESS_HISTORY_FILE), 'x'.repeat(10_000))],
    ['without a header', () => writeLines([JSON.stringify(window)])],
    ['of another format', () => writeLines([JSON.stringify({ format: 2, version: '2', savedAt: 0 })])],
    ['not JSON', () => writeLines([header(), '{'])],
    ['of an unknown resource', () => writeLines([header(), JSON.stringify({ ...window, resource: 'x' })])],
    ['with other things', () => writeLines([header(), JSON.stringify(key), JSON.stringify(window)])],
  ])('%s', async (_what, damage) => {
    const before = await recordTenMinutes();
    await before.snapshot.save();
    await damage();
    const after = start();
    after.history.read('article', 'article/three', 1, null);
    await after.snapshot.load();
    expect(warnings).toEqual(['the snapshot was ignored']);
    expect(after.history.recorded('article').reads).toBe(1);
  });

  it('as is one in a folder that is none', async () => {
    const folder = join(dir, 'file');
    await writeFile(folder, '');
    await start({ folder }).snapshot.load();
    expect(warnings).toEqual(['the snapshot was ignored']);
  });
});

it('a disk that refuses the file leaves the one before, and the record in memory', async () => {
  const { snapshot, history } = await recordTenMinutes();
  await snapshot.save();
  const saved = await readFile(join(dir, ACCESS_HISTORY_FILE));
  history.read('home', 'home', 1, 0);
  // No file can be made where another has the folder's name.
  await rename(dir, `${dir}-aside`);
  await writeFile(dir, '');
  await snapshot.save();
  await rm(dir);
  await rename(`${dir}-aside`, dir);
  expect(warnings).toEqual(['the snapshot could not be written']);
  expect(await readFile(join(dir, ACCESS_HISTORY_FILE))).toEqual(saved);
  expect(history.recorded('home').reads).toBe(1_201);
});

it('a process that is killed at any moment leaves a whole file', async () => {
  const program = `
    import { createAccessHistory } from '#server/cache/access-history/access-history.ts';
    import { createAccessHistorySnapshot } from '#server/cache/access-history/access-history-snapshot.ts';
    const history = createAccessHistory({ clock: () => performance.now() });
    for (let key = 0; key < 5_000; key++) history.read('article', 'article/' + key, 1, null);
    const snapshot = createAccessHistorySnapshot({
      history, dir: process.argv[1], wallClock: Date.now, logger: { warn: () => process.exit(1) },
    });
    for (;;) {
      history.read('home', 'home', 1, null);
      await snapshot.save();
      process.stdout.write('.');
    }`;
  wallMs = Date.now();
  for (const saves of [1, 2, 3]) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    let saved = 0;
    for await (const chunk of child.stdout) {
      saved += String(chunk).length;
      if (saved >= saves) child.kill('SIGKILL');
    }
    expect((await exited)[1]).toBe('SIGKILL');
    const after = start();
    await after.snapshot.load();
    expect(after.history.recorded('article').reads).toBe(5_000);
    expect(after.history.recorded('home').reads).toBeGreaterThanOrEqual(saves);
  }
  expect(warnings).toEqual([]);
});

it('saves while reads go on', async () => {
  const { snapshot, history, at } = await recordTenMinutes();
  for (let index = 0; index < 3_000; index++) history.read('author', `author/${index}`, 1, null);
  const saving = snapshot.save();
  for (let index = 0; index < 50; index++) {
    at.ms += 100;
    history.read('article', 'article/one', 1, 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await saving;
  const after = start();
  await after.snapshot.load();
  expect(after.history.recorded('author').reads).toBe(3_000);
  expect(warnings).toEqual([]);
});

import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CHECK_EVERY_MS, openSite, type Site } from './site.ts';

let base: string;
let site: Site;
let logger: ReturnType<typeof createLogger>;
const createLogger = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() });
/** A link, as Kubernetes and releases in folders of their own have it. */
const dir = () => join(base, 'current');

function release(name: string, json: string): void {
  mkdirSync(join(base, name));
  writeFileSync(join(base, name, 'site.json'), json);
  symlinkSync(name, join(base, 'next'));
  renameSync(join(base, 'next'), dir());
}

/** Looks at the folder again and again until what is expected of it is so. */
function poll<T>(read: () => T) {
  return expect.poll(() => {
    vi.advanceTimersByTime(CHECK_EVERY_MS);
    return read();
  });
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  logger = createLogger();
  base = mkdtempSync(join(tmpdir(), 'site-'));
  release('one', '{"name": "One"}');
  site = await openSite({
    dir: dir(),
    logger,
    tokens: new Map(),
    headTags: '',
    render: (html) => ({ html, headings: [] }),
    noIndex: false,
    builtIn: [],
  });
});
afterEach(() => {
  site.close();
  vi.useRealTimers();
  rmSync(base, { recursive: true });
});

it('takes up a folder that a link has been turned to, without a moment of neither', async () => {
  const seen = new Set<string>();
  release('two', '{"name": "Two"}');
  await poll(() => {
    seen.add(site.settings().name);
    return site.settings().name;
  }).toBe('Two');
  expect([...seen].filter((name) => name !== 'One' && name !== 'Two')).toEqual([]);
  expect(site.isValid()).toBe(true);
});

it('takes up a file of the same length that was written with the time of the one before', async () => {
  const file = join(dir(), 'site.json');
  utimesSync(file, 1, 1);
  await poll(() => logger.info).toHaveBeenCalledTimes(1);
  writeFileSync(file, '{"name": "Two"}');
  utimesSync(file, 1, 1);
  await poll(() => site.settings().name).toBe('Two');
});

it('keeps the last state while the folder is gone, says so once, and is valid again when it is back', async () => {
  renameSync(join(base, 'one'), join(base, 'away'));
  await poll(() => site.isValid()).toBe(false);
  expect(site.settings().name).toBe('One');
  renameSync(join(base, 'away'), join(base, 'one'));
  await poll(() => site.isValid()).toBe(true);
  expect(logger.error).toHaveBeenCalledTimes(1);
});

it('keeps the last state after a thousand mistakes, and names each in one entry of the log', async () => {
  const mistakes = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`wrong${index}`, 1]));
  release('two', JSON.stringify(mistakes));
  await poll(() => site.isValid()).toBe(false);
  expect(site.settings().name).toBe('One');
  expect(logger.error.mock.calls).toEqual([
    [{ mistakes: expect.any(Array) }, 'the site folder has a mistake: the state before it stays in force'],
  ]);
  expect(logger.error.mock.calls[0]?.[0].mistakes).toHaveLength(1_000);
});

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from './submission-and-view-store.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'demo-store-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it.runIf(process.platform !== 'win32')('what readers sent can be read by its owner alone', () => {
  const folder = join(dir, 'demo');
  const store = openStore(folder);
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect(modeOf(folder)).toBe(0o700);
  const names = readdirSync(folder);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect([name, modeOf(join(folder, name))]).toEqual([name, 0o600]);
  store.close();
});

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogOutput } from './logger.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'log-output-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`);

it('writes all lines in their order', async () => {
  const path = join(dir, 'log');
  const file = await open(path, 'a');
  const output = createLogOutput({ fd: file.fd, maxBytes: 1e6, onResumed: () => undefined });
  for (const line of linesOf(2_000)) output.write(line);
  await expect.poll(() => readFile(path, 'utf8')).toBe(linesOf(2_000).join(''));
  await file.close();
});

it('writes what waits on this thread, when the process is about to end', async () => {
  const script = `
    import { createLogOutput } from ${JSON.stringify(import.meta.resolve('./logger.ts'))};
    const output = createLogOutput({ fd: 1, maxBytes: 1e6, onResumed: () => undefined });
    for (let i = 0; i < 2_000; i++) output.write('line ' + i + '\\n');
    output.flushSync();
    process.exit(3);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  expect(await once(child, 'close')).toEqual([3, null]);
  expect(text.split('\n').sort()).toEqual(['', ...linesOf(2_000).map((line) => line.trim())].sort());
});

it('drops and counts what exceeds its bound while nobody reads, and goes on when somebody does', async () => {
  const path = join(dir, 'pipe');
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  const pipe = await open(path, 'r+');
  const resumed = Promise.withResolvers<number>();
  const output = createLogOutput({ fd: pipe.fd, maxBytes: 200_000, onResumed: resumed.resolve });
  for (const line of linesOf(40_000)) output.write(line);

  const reader = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) });
  let read = '';
  reader.on('data', (data) => {
    read += data;
  });
  const dropped = await resumed.promise;
  expect(dropped).toBeGreaterThan(10_000);
  output.write('last\n');
  await expect.poll(() => read.endsWith('last\n')).toBe(true);
  const kept = linesOf(40_000).slice(0, 40_000 - dropped);
  expect(read === `${kept.join('')}last\n`).toBe(true);
  reader.destroy();
  await pipe.close();
});

it.runIf(process.platform === 'linux')('gives up at the end of a process where the disk is full', () => {
  // Not closed: what has failed is tried again.
  const fd = openSync('/dev/full', 'a');
  const output = createLogOutput({ fd, maxBytes: 1_000, onResumed: () => undefined });
  for (const line of linesOf(3)) output.write(line);
  output.flushSync();
  output.flushSync();
});

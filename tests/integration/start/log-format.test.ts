import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProcess } from '../../faults/processes/server-process.ts';
import { freePort } from '../../free-port.ts';
import { START_COMMAND } from '../../start-flags.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'log-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const env = async (more: Record<string, string> = {}) => ({
  API_HOST: 'http://127.0.0.1:9',
  IMAGE_HOST: 'http://127.0.0.1:9',
  DATA_DIR: join(dir, 'data'),
  PORT: String(await freePort()),
  OPS_PORT: String(await freePort()),
  LOG_LEVEL: 'info',
  DRAIN_MS: '0',
  SHUTDOWN_GRACE_MS: '30000',
  ...more,
});

it('without a terminal every line is JSON', async () => {
  const started = startProcess([...START_COMMAND, '--once'], await env());
  expect(await started.ended).toBe(0);
  expect(started.log.length).toBeGreaterThan(1);
  for (const line of started.log) expect(JSON.parse(line)).toHaveProperty('msg');
});

it('with LOG_FORMAT=pretty lines are for a person', async () => {
  const started = startProcess([...START_COMMAND, '--once'], await env({ LOG_FORMAT: 'pretty' }));
  expect(await started.ended).toBe(0);
  expect(started.log.join('\n')).toMatch(/\d\d:\d\d:\d\d\S* INFO.*: ready/);
});

it('on a terminal it greets with the addresses, and lines are pretty', async () => {
  const own = await env();
  // util-linux's script gives the process a terminal.
  const command = [process.execPath, ...START_COMMAND, '--once'].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, ...own } });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(output).toContain(`http://localhost:${own.PORT}`);
  expect(output).toContain(`http://127.0.0.1:${own.OPS_PORT}`);
  expect(output).toContain(own.API_HOST);
  expect(output).not.toContain('{"level"');
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProcess } from '../../faults/server-process.ts';
import { freePort } from '../../free-port.ts';
import { START_COMMAND } from '../../start-flags.ts';

let dir: string;
/** The first start fills the compile cache, the second one uses it. */
let first: Started;
let second: Started;

interface Started {
  code: number | null;
  log: string;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'start-'));
  first = await startOnce();
  second = await startOnce();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Runs `npm start -- --once` without an upstream. Node's debug output tells how it uses its compile cache. */
async function startOnce(): Promise<Started> {
  const started = startProcess([...START_COMMAND, '--once'], {
    API_HOST: 'http://127.0.0.1:9',
    IMAGE_HOST: 'http://127.0.0.1:9',
    DATA_DIR: dir,
    PORT: String(await freePort()),
    OPS_PORT: '0',
    LOG_LEVEL: 'info',
    DRAIN_MS: '0',
    NODE_COMPILE_CACHE: join(dir, 'compile-cache'),
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
  });
  const code = await started.ended;
  return { code, log: started.log.join('\n') };
}

it('becomes ready without an upstream, and ends at once with --once', () => {
  for (const { code, log } of [first, second]) {
    expect({ code, isReady: log.includes('"msg":"ready"'), failed: log.includes('warm-up: ') }).toEqual({
      code: 0,
      isReady: true,
      failed: false,
    });
  }
});

it.each(['server/main.ts', 'fastify/fastify.js', 'dist/server/render-worker.js', 'zod/v4/core/core.js'])(
  'takes %s from the compile cache that an earlier start has left',
  (file) => {
    const accepted = new RegExp(`V8 code cache for \\w+ \\S*${file} was accepted`);
    expect(accepted.test(first.log)).toBe(false);
    expect(accepted.test(second.log)).toBe(true);
  },
);

it('loads neither ajv nor the compiler of serialisers, which nobody asks, and of OpenTelemetry only its API without its variables', () => {
  const loaded = [...first.log.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(([, name]) => name);
  expect(loaded).toContain('fastify');
  expect(loaded).not.toContain('ajv');
  // The metrics library imports the API.
  const traces = loaded.filter(
    (name) => name?.startsWith('@opentelemetry/') && name !== '@opentelemetry/api',
  );
  expect(traces).toEqual([]);
  expect(loaded).not.toContain('@fastify/fast-json-stringify-compiler');
});

import { mkdtemp, rm } from 'node:fs/promises';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { systemClock } from '#server/time.ts';
import { NO_TRACING, openTracing, type Tracing } from '#server/tracing/tracing.ts';
import { type ServerProcess, startServer, terminate } from '../../faults/processes/server-process.ts';
import { type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts';

/** Waiting spans, and those of the exports in flight: one that begins at once and those of a stop. */
const MAX_SPANS = 2_048 + 512;

let receiver: OtlpReceiver;
let dir: string;
/** Exports that the receiver leaves without a response until `release`. */
let held: ServerResponse[];
let isReleased: boolean;

beforeEach(async () => {
  held = [];
  isReleased = false;
  dir = await mkdtemp(join(tmpdir(), 'traces-'));
  receiver = await startOtlpReceiver((response) => {
    if (isReleased) response.end('{}');
    else held.push(response);
  });
});
afterEach(async () => {
  await receiver.close();
  await rm(dir, { recursive: true, force: true });
});

function release(): void {
  isReleased = true;
  for (const response of held) response.end('{}');
}

const open = (endpoint: string) => openTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).tracing);
const REQUEST = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' });
const recordHit = (tracing: Tracing) => tracing.startRequest(REQUEST, 1).end('/', 200, 3);

describe('an OTLP receiver that does not respond', () => {
  it('costs a bounded number of spans: more are dropped', async () => {
    const tracing = await open(receiver.endpoint);
    for (let hits = 0; hits < 10_000; hits++) {
      recordHit(tracing);
      if (hits % 100 === 0) await setImmediate();
    }
    await expect.poll(() => held.length).toBeGreaterThan(0);
    release();
    await tracing.close(30_000);
    expect(receiver.spans.length).toBeGreaterThan(512);
    // An export that is held for five seconds is given up, and the next one sent.
    expect(receiver.spans.length).toBeLessThanOrEqual(MAX_SPANS + 512 * (held.length - 1));
  });

  it('holds up neither pages nor a stop', async () => {
    const server = await startSite(receiver.endpoint);
    await expect.poll(() => statuses(server)).toEqual([200, 200, 200]);
    expect((await terminate(server)).code).toBe(0);
    expect(held.length).toBeGreaterThan(0);
  });
});

describe('an OTLP receiver that is down', () => {
  it('holds up neither pages nor a stop', async () => {
    const server = await startSite('http://127.0.0.1:9');
    await expect.poll(() => statuses(server)).toEqual([200, 200, 200]);
    expect((await terminate(server)).code).toBe(0);
  });
});

it('an OTLP receiver that refuses is logged once', async () => {
  const refusing = await startOtlpReceiver((response) => void response.writeHead(401).end());
  const lines: string[] = [];
  const tracing = await open(refusing.endpoint);
  tracing.reportTo(pino({}, { write: (line: string) => void lines.push(line) }), systemClock);
  for (let hits = 0; hits < 1_024; hits++) recordHit(tracing);
  await expect.poll(() => refusing.headers).toHaveLength(2);
  await tracing.close(30_000);
  await refusing.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('traces cannot be sent');
});

it.each([
  {},
  { OTEL_SERVICE_NAME: 'a', OTEL_TRACES_SAMPLER: 'always_on' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' },
])('there are no traces with %j', async (env) => {
  expect(await openTracing(readConfig(env).tracing)).toBe(NO_TRACING);
});

/** The server as `npm start` starts it, before the demo CMS, every request traced. */
function startSite(endpoint: string): Promise<ServerProcess> {
  return startServer({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      DATA_DIR: dir,
      OPS_PORT: '0',
      DRAIN_MS: '0',
      SHUTDOWN_GRACE_MS: '30000',
      UPSTREAM_TIMEOUT_MS: '20000',
    },
  });
}

/** Returns the statuses of three pages; on a busy machine a server that has just started may shed one of them. */
async function statuses({ origin }: ServerProcess): Promise<number[]> {
  const all: number[] = [];
  for (const path of ['/', '/', '/topic/news']) {
    const response = await fetch(origin + path);
    await response.arrayBuffer();
    all.push(response.status);
  }
  return all;
}

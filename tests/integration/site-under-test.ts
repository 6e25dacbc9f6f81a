import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import type { FaultRule } from '#demo/faults/faults.ts';
import { loadContent } from '#demo/load-content.ts';
import type { GetPicture } from '#demo/picture-folder.ts';
import { startDemoCms } from '#demo/start.ts';
import { bootstrap } from '#server/bootstrap.ts';
import { readConfig } from '#server/config/config.ts';
import type { Clock } from '#server/time.ts';
import type { Tracing } from '#server/tracing/tracing.ts';
import { getPlainPicture } from '../fixtures/plain-pictures.ts';
import { renderOnThisThread } from './render-on-this-thread.ts';

const root = join(import.meta.dirname, '../..');

/** The built site before a demo CMS with fault switches, both over HTTP on free ports. */
export interface SiteUnderTest {
  origin: string;
  demoCms: string;
  /** Origin of the operators' listener. */
  ops: string;
  /** The HTTP servers of both listeners. */
  servers: { readers: Server; operators: Server };
  faults(rules: FaultRule[]): Promise<void>;
  /** Number of calls of the demo CMS by method and path since the last `forgetCalls`. */
  calls(): Promise<Record<string, number>>;
  forgetCalls(): Promise<void>;
  /** Ends all faults and empties the cache. Rejects where the operators' listener asks for a token. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Read once for all demo CMSs of a process. */
const CONTENT = loadContent();
/** Long: a share of it is the time in which a busy machine has to send the last traces and purges. */
const STOP_MS = 20_000;
const OPTIONAL_WAIT_MS = 15_000;
/** How long a response may take. */
const RESPONSE_MS = 120_000;
const DAY = 86_400_000;
const LED_BACK = (Date.now() % DAY) + DAY / 2;

/** Wall clock of the demo CMS. Starts at noon of yesterday (UTC): its posts are in the same order at any time of the day. */
function demoCmsClock(): number {
  return Date.now() - LED_BACK;
}

/** Without Redis an instance does what another one has done already. */
async function waitForRedis(ops: string): Promise<void> {
  const isUp = async () => (await (await fetch(`${ops}/metrics`)).text()).includes('\nredis_up 1');
  while (!(await isUp())) await pause(20);
}

async function succeeded(pending: Promise<Response>): Promise<Response> {
  const response = await pending;
  if (!response.ok)
    throw new Error(`${response.url} responded with ${response.status}: ${await response.text()}`);
  return response;
}

/** Dependencies that a test may inject besides configuration. */
export interface SiteParts {
  clock?: Clock;
  /** From 0 to 1, for the jitter: 0.5 makes each ttl what it is set to. */
  random?: () => number;
  logger?: Logger;
  /** Default: never. A test must not depend on how busy its machine is. */
  isOverloaded?: () => boolean;
  /** How long optional sections are waited for (ms). Default: so long that a stalled machine leaves none out. */
  optionalWaitMs?: number;
  /** Whether Vite serves the client from its sources. */
  development?: boolean;
  /** Whether it renders on a thread of its own, whose priority is lowered as in production. */
  hasRenderThread?: boolean;
  /** Pictures of the demo CMS. Default: of one colour. */
  pictures?: GetPicture;
  /** Origin of a running demo CMS, which is not closed with this site. */
  demoCms?: string;
  tracing?: Tracing;
  /** Whether the start waits for the connection to Redis: true unless given. */
  awaitsRedis?: boolean;
}

/** Sends JSON. Rejects where the response is no success. */
const sendJson = (method: string, url: string, body: unknown) =>
  succeeded(
    fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  );

/** Starts a demo CMS and the site. `env`: configuration besides what the harness sets. */
export async function startSiteUnderTest(
  env: Record<string, string> = {},
  {
    clock,
    random,
    logger,
    isOverloaded = () => false,
    optionalWaitMs = OPTIONAL_WAIT_MS,
    development = false,
    hasRenderThread = false,
    pictures = getPlainPicture,
    demoCms: runningDemoCms,
    tracing,
    awaitsRedis = true,
  }: SiteParts = {},
): Promise<SiteUnderTest> {
  const dir = await mkdtemp(join(tmpdir(), 'site-'));
  const own =
    runningDemoCms === undefined
      ? await startDemoCms({ dataDir: null, faults: true, clock: demoCmsClock, content: CONTENT, pictures })
      : null;
  const demoCms = { origin: runningDemoCms ?? own?.origin ?? '' };
  const config = readConfig({
    API_HOST: demoCms.origin,
    IMAGE_HOST: `${demoCms.origin}/media`,
    IP_LOOKUP_URL: `${demoCms.origin}/lookup?format=json`,
    PUBLIC_ORIGIN: 'https://www.example.com',
    DATA_DIR: dir,
    OPS_PORT: '0',
    // The default is short enough to leave out a section of a page on a busy machine.
    UPSTREAM_TIMEOUT_MS: '20000',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_READ: '0',
    RATE_LIMIT_WRITE: '0',
    RATE_LIMIT_BEACON: '0',
    ...env,
  });
  const running = await bootstrap({
    config,
    logger: logger ?? pino({ level: config.logLevel }),
    root,
    development,
    isOverloaded,
    optionalWaitMs,
    createRenderer: hasRenderThread ? undefined : renderOnThisThread,
    ...(clock && { clock }),
    ...(random && { random }),
    ...(tracing && { tracing }),
  });
  const origin = await running.app.listen({ port: 0, host: '127.0.0.1' });
  const ops = await running.ops.listen({ port: 0, host: '127.0.0.1' });
  if (config.redisUrl !== null && awaitsRedis) await waitForRedis(ops);
  // The server's own inactivity timeout would cut a response that a busy machine takes long to make.
  for (const { server } of [running.app, running.ops])
    server.on('request', ({ socket }) => socket.setTimeout(RESPONSE_MS));
  async function faults(rules: FaultRule[]): Promise<void> {
    await sendJson('PUT', `${demoCms.origin}/demo-cms/faults`, rules);
  }

  return {
    origin,
    ops,
    servers: { readers: running.app.server, operators: running.ops.server },
    demoCms: demoCms.origin,
    faults,
    async calls() {
      return (await succeeded(fetch(`${demoCms.origin}/demo-cms/calls`))).json() as Promise<
        Record<string, number>
      >;
    },
    async forgetCalls() {
      await succeeded(fetch(`${demoCms.origin}/demo-cms/calls`, { method: 'DELETE' }));
    },
    async reset() {
      await faults([]);
      await sendJson('POST', `${ops}/cache/purge`, { all: true });
    },
    async close() {
      const token = env['OPS_TOKEN'];
      const isUnstable = await fetch(
        `${ops}/metrics`,
        token ? { headers: { authorization: `Bearer ${token}` } } : {},
      )
        .then((response) => response.text())
        .then((text) => /^article_bodies_reduced_total\{reason="unstable"\} [1-9]/m.test(text))
        .catch(() => false);
      await running.stop(STOP_MS);
      await own?.close();
      if (isUnstable) throw new Error('a body was unstable');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

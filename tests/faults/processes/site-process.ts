import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type DemoCms, startDemoCmsProcess } from './demo-cms-process.ts';
import { type ServerOptions, type ServerProcess, startServer, terminate } from './server-process.ts';

/** Short freshness, so that a drill sees each state: fresh for 1 s, stale-while-revalidate for 2 s, stale-if-error for a day. */
export const SHORT_AGES = ages({ ttl: 1, swr: 2, sie: 86_400 });
/** `UPSTREAM_TIMEOUT_MS` in drills. */
export const DEADLINE_MS = 1_000;
/** `UPSTREAM_TIMEOUT_MS` where the upstream does not hang: a busy machine must not leave out a section or a response. */
export const LONG_TIMEOUT = { UPSTREAM_TIMEOUT_MS: '20000' };
const WARMING_MS = 60_000;
/** Slack for a noisy machine. The short drill runs beside tests, which must not depend on speed. */
export const SLACK_MS = process.argv.includes('--short') ? 15_000 : 1_500;

/** A response and its time. `status` 0: there was none. */
export interface TimedResponse {
  status: number;
  headers: Headers;
  text: string;
  ms: number;
}

/** A server of the built site before a demo CMS of its own. */
export interface DrillSite {
  demoCms: DemoCms;
  dir: string;
  /** The running server, which `start` replaces. */
  server(): ServerProcess;
  start(more?: Partial<ServerOptions>): Promise<ServerProcess>;
  get(path: string): Promise<TimedResponse>;
  /** Requests pages until each is 200. Rejects where one is not in time. */
  warmUp(paths: readonly string[]): Promise<void>;
  /** Posts a contact message as JSON. */
  contact(email: string): Promise<TimedResponse>;
  subscribe(email: string): Promise<TimedResponse>;
  /** `GET /outbox`. */
  outbox(): Promise<z.infer<typeof OutboxView>>;
  retry(id: string): Promise<number>;
  close(): Promise<void>;
}

const OutboxView = z.object({
  pending: z.object({ submissions: z.number(), views: z.number() }),
  rejected: z.number(),
  messages: z.array(z.object({ id: z.string(), kind: z.string(), state: z.string() })),
});

/** Returns the environment variables that give every resource this policy, in seconds. */
export function ages({ ttl, swr, sie }: { ttl: number; swr: number; sie: number }): Record<string, string> {
  const resources =
    'NAVIGATION HOME TAG TOPIC ARTICLE AUTHOR ASIDE LATEST SEARCH EVENTS EVENT ADS CATEGORIES SUBCATEGORIES';
  return Object.fromEntries(
    resources.split(' ').flatMap((name) => [
      [`CACHE_${name}_TTL`, String(ttl)],
      [`CACHE_${name}_SWR`, String(swr)],
      [`CACHE_${name}_SIE`, String(sie)],
    ]),
  );
}

/** Starts the demo CMS and the server. `env`: configuration besides what the drill sets; `dataDir`: the server's `DATA_DIR`. */
export async function startDrillSite(
  env: Record<string, string> = {},
  options: { dataDir?: string; nodeFlags?: string[]; flags?: string[] } = {},
): Promise<DrillSite> {
  const dir = await mkdtemp(join(tmpdir(), 'drill-'));
  const demoCms = await startDemoCmsProcess(join(dir, 'demo-cms'));
  const dataDir = options.dataDir ?? join(dir, 'data');
  const start = (more: Partial<ServerOptions> = {}) =>
    startServer({
      ...(options.nodeFlags && { nodeFlags: options.nodeFlags }),
      ...(options.flags && { flags: options.flags }),
      ...more,
      env: {
        API_HOST: demoCms.origin,
        IMAGE_HOST: `${demoCms.origin}/media`,
        IP_LOOKUP_URL: `${demoCms.origin}/lookup?format=json`,
        UPSTREAM_TIMEOUT_MS: String(DEADLINE_MS),
        DATA_DIR: dataDir,
        ...env,
        ...more.env,
      },
    });
  async function leave(): Promise<void> {
    await demoCms.leave();
    await rm(dir, { recursive: true, force: true });
  }

  let server = await start().catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  const get = (path: string) =>
    request(server.origin + path, { headers: { accept: 'text/html' }, redirect: 'manual' });
  const post = (path: string, body: object) =>
    request(server.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  return {
    demoCms,
    dir: dataDir,
    server: () => server,
    async start(more) {
      server = await start({ port: Number(new URL(server.origin).port), ...more });
      return server;
    },
    get,
    async warmUp(paths) {
      for (const path of paths) {
        const isThere = await eventually(async () => (await get(path)).status === 200, WARMING_MS);
        if (!isThere) throw new Error(`${path} does not come`);
      }
    },
    contact: (email) =>
      post('/api/contact-messages', {
        firstName: 'Ada',
        lastName: 'Quill',
        email,
        phone: '+1 202-555-0142',
        message: 'A drill',
        optIn: true,
      }),
    subscribe: (email) => post('/api/subscriptions', { email }),
    outbox: async () => OutboxView.parse(await (await fetch(`${server.ops}/outbox`)).json()),
    retry: async (id) => (await fetch(`${server.ops}/outbox/${id}/retry`, { method: 'POST' })).status,
    async close() {
      await terminate(server);
      await leave();
    },
  };
}

/** Sends one request. Never rejects: without a response the status is 0. */
export async function request(url: string, init: RequestInit = {}): Promise<TimedResponse> {
  const began = performance.now();
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, ms: performance.now() - began };
  } catch (error) {
    const text = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : '';
    return { status: 0, headers: new Headers(), text, ms: performance.now() - began };
  }
}

/** Polls `holds` every 50 ms for at most `ms`; resolves to whether it came to hold. */
export async function eventually(holds: () => Promise<boolean>, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  for (;;) {
    if (await holds().catch(() => false)) return true;
    if (performance.now() >= until) return false;
    await pause(50);
  }
}

/** Formats as `12 ms`. */
export function milliseconds(ms: number): string {
  return `${Math.round(ms)} ms`;
}

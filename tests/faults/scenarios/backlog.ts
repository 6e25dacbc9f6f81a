import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openFile } from '#server/outbox/open-sqlite.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../processes/scripted-upstream.ts';
import { type ServerProcess, startServer, terminate } from '../processes/server-process.ts';
import { eventually, LONG_TIMEOUT, milliseconds, request, SLACK_MS } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const VIEWS = 600;
const LATENCY_MS = 100;
const WITHIN_MS = 10_000;
const MAX_CONCURRENT = 16;
/** As many are sent in a second, and those that were under way before it may arrive in it as well. */
const MOST_A_SECOND = 200 + MAX_CONCURRENT;
const WAITING_VIEWS = 90_000;
const WAITING_SUBMISSIONS = 10_000;
const LONGEST_BLOCK_MS = 20;
const ROUNDS = 8;

/** Tests the outbox with a slow upstream and with a backlog of 100,000 messages. */
export async function drillBacklog(report: Report, short: boolean): Promise<void> {
  await slowUpstream(report);
  await backlog(report, short);
}

async function slowUpstream(report: Report): Promise<void> {
  await withServer(async (upstream, start) => {
    upstream.take(LATENCY_MS);
    const { origin } = await start();
    const began = performance.now();
    for (let sent = 0; sent < VIEWS; sent += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => view(origin, sent + index + 1)));
    await eventually(async () => upstream.arrivals.length >= VIEWS, WITHIN_MS + SLACK_MS);
    const ms = performance.now() - began;
    const keys = new Set(upstream.arrivals.map(({ key }) => key)).size;
    const rate = mostInASecond(upstream.arrivals.map(({ at }) => at));
    const text = `${upstream.arrivals.length} of ${VIEWS} in ${milliseconds(ms)}, ${keys} different, at most ${upstream.maxConcurrent()} at once and ${rate} a second`;
    const isWhole = upstream.arrivals.length === VIEWS && keys === VIEWS;
    const isBounded = upstream.maxConcurrent() <= MAX_CONCURRENT && rate <= MOST_A_SECOND;
    report.seen('slowUpstream', 'view count', text, isWhole && isBounded && ms <= WITHIN_MS + SLACK_MS);
  });
}

async function backlog(report: Report, short: boolean): Promise<void> {
  await withServer(async (upstream, start, dir) => {
    fill(dir);
    await upstream.be('refuses');
    const server = await start(['--import', join(import.meta.dirname, '../processes/event-loop-probe.ts')]);
    await longestBlock(server);
    const blocks: number[] = [];
    const statuses = new Set<number>();
    for (let round = 0; round < (short ? 2 : ROUNDS); round++) {
      for (let index = 0; index < 5; index++) {
        statuses.add(
          (await post(server.origin, '/api/contact-messages', `backlog-${round}-${index}`)).status,
        );
        await Promise.all([
          view(server.origin, round * 10 + index + 1),
          request(`${server.ops}/metrics`),
          request(`${server.ops}/outbox`),
        ]);
        await pause(100);
      }
      blocks.push(await longestBlock(server));
    }
    const { pending } = await (await fetch(`${server.ops}/outbox`)).json();
    const waiting = pending.submissions + pending.views;
    // The best round: work that grows with the backlog would block every round, a shared machine only some.
    const shortest = Math.min(...blocks);
    const block = `longest block of a round of scrapes, lists, posts and views: ${blocks.map((ms) => ms.toFixed(0)).join(', ')} ms, ${waiting} waiting`;
    report.seen(
      'backlog',
      'warm page',
      block,
      waiting >= 100_000 && shortest < LONGEST_BLOCK_MS + (short ? SLACK_MS : 0),
    );
    report.seen('backlog', 'form post', [...statuses].join(', '), statuses.size === 1 && statuses.has(502));
  });
}

/** Writes a hundred thousand messages, as after an outage of some hours. */
function fill(dir: string): void {
  const file = openFile(dir);
  const createdAt = Date.now() - 3_600_000;
  const insert = file.prepare(
    `INSERT INTO messages VALUES (?, ?, 'pending', ?, 0, NULL, ${createdAt}, ${createdAt}, NULL)`,
  );
  file.exec('BEGIN');
  for (let i = 0; i < WAITING_VIEWS; i++)
    insert.run(`view-${i}`, 'view', JSON.stringify({ postId: String(i), ip_addr: '93.184.216.34' }));
  for (let i = 0; i < WAITING_SUBMISSIONS; i++)
    insert.run(`contact-${i}`, 'contact', `${' '.repeat(4_096)}{"email":"a@example.com"}`);
  file.exec('COMMIT');
  file.close();
}

async function longestBlock(server: ServerProcess): Promise<number> {
  const before = server.log.length;
  server.kill('SIGWINCH');
  const printed = () => server.log.slice(before).find((line) => line.startsWith('longest block '));
  await eventually(async () => printed() !== undefined, SLACK_MS);
  return Number(printed()?.split(' ').at(-1) ?? Number.NaN);
}

async function withServer(
  work: (
    upstream: ScriptedUpstream,
    start: (nodeFlags?: string[]) => Promise<ServerProcess>,
    dir: string,
  ) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'backlog-'));
  const upstream = await startScriptedUpstream();
  let server: ServerProcess | null = null;
  const start = async (nodeFlags: string[] = []) => {
    server = await startServer({
      nodeFlags,
      env: {
        API_HOST: upstream.origin,
        IMAGE_HOST: upstream.origin,
        IP_LOOKUP_URL: `${upstream.origin}/lookup`,
        ...LONG_TIMEOUT,
        RATE_LIMIT_BEACON: '0',
        DATA_DIR: dir,
        LOG_LEVEL: 'silent',
      },
    });
    return server;
  };
  try {
    await work(upstream, start, dir);
  } finally {
    if (server) await terminate(server);
    await upstream.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function view(origin: string, postId: number) {
  return postJson(`${origin}/api/views`, { postId });
}

function post(origin: string, path: string, name: string) {
  const email = `${name}@example.com`;
  const words = { firstName: 'Ada', lastName: 'Quill', phone: '+1 202-555-0142', message: name, optIn: true };
  return postJson(origin + path, { ...words, email });
}

function postJson(url: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  return request(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

function mostInASecond(times: readonly number[]): number {
  return Math.max(...times.map((at) => times.filter((other) => other >= at && other < at + 1_000).length));
}

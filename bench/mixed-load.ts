import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';

const CONNECTIONS = 12;
/** Requests that wait for a response at most: a slower server gets fewer requests, not a backlog. */
const MAX_WAITING = 48;
const MAX_FAILED_SHARE = 0.05;
const BROWSER = { 'accept-encoding': 'gzip, deflate, br' };
const PLAIN = { 'accept-encoding': 'identity' };
const WORDS = ['data', 'privacy', 'market', 'email', 'video', 'trust', 'brand'];

/**
 * Sends requests at a constant rate: seven in ten for a search that nobody made before, whose response fills the caches, the
 * others for a few articles and topic pages. One in 23 asks for an uncompressed response. Throws if more than a twentieth fail.
 */
export async function sendMixedLoad(
  origin: string,
  articles: readonly string[],
  { seconds, requestsPerSecond }: { seconds: number; requestsPerSecond: number },
): Promise<void> {
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const waiting = new Set<Promise<void>>();
  const total = seconds * requestsPerSecond;
  const began = performance.now();
  let failed = 0;

  async function send(index: number): Promise<void> {
    const headers = index % 23 === 0 ? PLAIN : BROWSER;
    try {
      const { statusCode, body } = await request(origin + pathOf(index, articles), { dispatcher, headers });
      await body.dump();
      if (statusCode !== 200) failed++;
    } catch {
      // On a busy machine a connection may be closed as idle at the moment it is used.
      failed++;
    }
  }

  for (let index = 0; index < total; index++) {
    const early = (index * 1_000) / requestsPerSecond - (performance.now() - began);
    if (early > 0) await pause(early);
    if (waiting.size >= MAX_WAITING) await Promise.race(waiting);
    const sent = send(index).finally(() => waiting.delete(sent));
    waiting.add(sent);
  }
  await Promise.all(waiting);
  await dispatcher.close();
  if (failed > total * MAX_FAILED_SHARE)
    throw new Error(`${failed} of ${total} requests of the mixed load failed`);
}

const SOAK_CLIENTS = 24;
const SOAK_PAUSE_MS = 50;
/** The upstream fails for eight seconds of so many. */
const FAULT_EVERY_S = 28;
const FAULT_S = 8;
const FAULTS = ['status', 'hang', 'cut-body', 'broken-json'];

/** Asks for pages from 24 clients while the upstream fails now and then, in turns of several kinds. */
export async function soakWithFaults(
  origin: string,
  articles: readonly string[],
  seconds: number,
  setFaults: (rules: object[]) => Promise<unknown>,
): Promise<void> {
  const dispatcher = new Agent({ connections: SOAK_CLIENTS, pipelining: 1 });
  const end = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= end;
  let index = 0;

  async function client(): Promise<void> {
    while (!isOver()) {
      const path = pathOf(index++, articles);
      // Pages that fail are part of it.
      const response = await request(origin + path, { dispatcher, headers: BROWSER }).catch(() => null);
      await response?.body.dump();
      await pause(SOAK_PAUSE_MS);
    }
  }

  async function fail(): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      await pause((FAULT_EVERY_S - FAULT_S) * 1_000);
      await setFaults([{ path: '/api/*', kind: FAULTS[turn % FAULTS.length] }]);
      await pause(FAULT_S * 1_000);
      await setFaults([]);
    }
  }

  await Promise.all([fail(), ...Array.from({ length: SOAK_CLIENTS }, client)]);
  await dispatcher.close();
}

function pathOf(index: number, articles: readonly string[]): string {
  const word = WORDS[index % WORDS.length];
  const kind = index % 10;
  if (kind < 6) return `/search/news/${word}%20${index}`;
  if (kind < 7) return `/api/search/news/${word}%20${index}`;
  if (kind < 9) return articles[index % articles.length] ?? '/';
  return `/topic/news?page=${1 + (index % 6)}`;
}

import { setTimeout as pause } from 'node:timers/promises';
import autocannon, { type Request } from 'autocannon';
import { Agent, request } from 'undici';
import type { Measured } from './processes.ts';

/**
 * Returns how many requests a server serves per second of its processor time, over 50 connections for `seconds`. Wall
 * time would measure the load generator, which takes longer for a request than a server with a cached response.
 * `path`: a constant, or a function called for each request. Throws when a response was not 2xx, 304 or `status`.
 */
export async function requestsPerCpuSecond(
  server: Measured,
  path: string | (() => string),
  headers: Record<string, string>,
  seconds: number,
  status = 304,
): Promise<number> {
  const isFixed = typeof path === 'string';
  const url = isFixed ? server.origin + path : server.origin;
  const requests = isFixed ? [{}] : [{ setupRequest: (sent: Request) => ({ ...sent, path: path() }) }];
  const before = server.cpuSeconds();
  const result = await autocannon({ url, connections: 50, duration: seconds, headers, requests });
  const taken = server.cpuSeconds() - before;
  const expected = [...new Set<number>([304, status])].map(
    (code) => result.statusCodeStats?.[`${code}`]?.count ?? 0,
  );
  const bad = result.non2xx - expected.reduce((sum, count) => sum + count, 0);
  if (bad > 0 || result.errors > 0) throw new Error(`${url}: ${bad} bad responses, ${result.errors} errors`);
  return result.requests.total / taken;
}

export const READERS = 8;

/** Returns the 99th percentile of response times in milliseconds, for eight readers, each of whom waits `thinkMs` between two. */
export async function waitOfReaders(
  url: string,
  seconds: number,
  headers: Record<string, string> = { 'accept-encoding': 'br' },
  thinkMs = 0,
): Promise<number> {
  const dispatcher = new Agent({ connections: READERS, pipelining: 1 });
  const waits: number[] = [];
  const end = performance.now() + seconds * 1_000;

  async function read(): Promise<void> {
    while (performance.now() < end) {
      const began = performance.now();
      const { statusCode, body } = await request(url, { dispatcher, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`);
      waits.push(performance.now() - began);
      if (thinkMs > 0) await pause(thinkMs);
    }
  }

  await Promise.all(Array.from({ length: READERS }, read));
  await dispatcher.close();
  return p99(waits);
}

/** Returns the 99th percentile. */
export function p99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

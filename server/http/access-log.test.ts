import { pino } from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { CacheResult } from '#server/cache/cache-status.ts';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import { createAccessLog, loggedPath } from './access-log.ts';

const RESPONSE = {
  id: 'a',
  method: 'GET',
  target: '/?q=typed',
  route: '/*',
  status: 200,
  ms: 1,
  refusedBy: null,
  trace: null,
};

const Line = z.object({ 'http.response.status_code': z.int(), count: z.int().optional() });

function linesOf(hitSample: number, responses: { cacheResult: CacheResult }[]): number {
  let lines = 0;
  let calls = 0;
  const log = createAccessLog(pino({}, { write: () => void lines++ }), {
    clock: fakeClock(),
    hitSample,
    random: () => (calls++ % 10) / 10,
  });
  for (const response of responses) log({ ...RESPONSE, ...response });
  return lines;
}

it('has a line for a share of the cache hits, and for everything else', () => {
  const hits = Array.from({ length: 100 }, () => ({ cacheResult: 'hit' as const }));
  const misses = Array.from({ length: 100 }, () => ({ cacheResult: 'miss' as const }));
  expect(linesOf(1, hits)).toBe(100);
  expect(linesOf(0.3, hits)).toBe(30);
  expect(linesOf(0, hits)).toBe(0);
  expect(linesOf(0, misses)).toBe(100);
});

/** Returns a logger, and its lines as objects. */
function createLines() {
  const lines: unknown[] = [];
  const options = { base: null, timestamp: false };
  return { lines, logger: pino(options, { write: (line) => void lines.push(JSON.parse(line)) }) };
}

it('names its fields by the semantic conventions, and has neither the query nor an address', () => {
  const { lines, logger } = createLines();
  createAccessLog(logger, { clock: fakeClock() })({ ...RESPONSE, cacheResult: 'miss' });
  expect(lines).toEqual([
    {
      level: 30,
      reqId: 'a',
      'http.request.method': 'GET',
      'http.route': '/*',
      'url.path': '/',
      'http.response.status_code': 200,
      ms: 1,
      msg: 'request',
    },
  ]);
});

it.each([
  '/search/all/jane%40example.com',
  '/search/all/jane@example.com/?page=2',
  '/api/search/all/jane@example.com',
  '/SEARCH/all/jane',
  '/%73earch/all/jane',
  '/%2573earch%252fall/jane',
  '/en/search/jane',
  '/search?term=jane',
  '/search;a=b/all/jane',
  '/search%5Call%5Cjane',
])('names the route of %s, and not what was searched', (target) => {
  const { lines, logger } = createLines();
  createAccessLog(logger, { clock: fakeClock() })({
    ...RESPONSE,
    target,
    route: '/search/:category/:term',
    cacheResult: 'miss',
  });
  expect(lines).toMatchObject([{ 'http.route': '/search/:category/:term' }]);
  expect(JSON.stringify(lines)).not.toMatch(/jane|example/);
});

it.each(['/news/search-engines', '/research/a', '/news/50%25', '/%zz'])('has the path %s', (target) => {
  expect(loggedPath(`${target}?q=typed`)).toBe(target);
});

it('has a line a second for refusals, and for clients that have left, of one status and route, with their number', () => {
  const { lines, logger } = createLines();
  const clock = fakeClock();
  const log = createAccessLog(logger, { clock });
  const respond = (status: number, route: string | undefined) =>
    log({ ...RESPONSE, cacheResult: 'miss', status, route });
  for (let ms = 0; ms < 3_000; ms++) {
    clock.monotonicMs = ms;
    respond(400, undefined);
    respond(204, undefined);
    respond(499, '/*');
    if (ms < 3) respond(429, '/*');
    if (ms < 4) respond(404, '/*');
  }
  const counts = (wanted: number) =>
    lines.flatMap((line) => {
      const { 'http.response.status_code': status, count = null } = Line.parse(line);
      return status === wanted ? [count] : [];
    });
  expect(counts(400)).toEqual([1, 1_000, 1_000]);
  expect(counts(204)).toEqual([1, 1_000, 1_000]);
  expect(counts(499)).toEqual([1, 1_000, 1_000]);
  expect(counts(429)).toEqual([1]);
  expect(counts(404)).toEqual([null, null, null, null]);
});

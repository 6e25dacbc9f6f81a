import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createAccessLog } from './access-log.ts';

const RESPONSE = {
  id: 'a',
  method: 'GET',
  target: '/?q=typed',
  route: '/*',
  status: 200,
  ms: 1,
  trace: null,
};

function linesOf(hitSample: number, responses: { isCacheHit: boolean }[]): number {
  let lines = 0;
  let calls = 0;
  const log = createAccessLog(pino({}, { write: () => void lines++ }), hitSample, () => (calls++ % 10) / 10);
  for (const response of responses) log({ ...RESPONSE, ...response });
  return lines;
}

it('has a line for a share of the cache hits, and for everything else', () => {
  const hits = Array.from({ length: 100 }, () => ({ isCacheHit: true }));
  const misses = Array.from({ length: 100 }, () => ({ isCacheHit: false }));
  expect(linesOf(1, hits)).toBe(100);
  expect(linesOf(0.3, hits)).toBe(30);
  expect(linesOf(0, hits)).toBe(0);
  expect(linesOf(0, misses)).toBe(100);
});

it('names its fields by the semantic conventions, and has neither the query nor an address', () => {
  const lines: unknown[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  createAccessLog(logger)({ ...RESPONSE, isCacheHit: false });
  expect(lines).toEqual([
    {
      level: 30,
      reqId: 'a',
      'http.request.method': 'GET',
      'url.path': '/',
      'http.response.status_code': 200,
      ms: 1,
      msg: 'request',
    },
  ]);
});

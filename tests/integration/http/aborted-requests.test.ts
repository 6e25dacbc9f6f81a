import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import request from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;
const lines: { 'http.response.status_code'?: number; 'url.path'?: string; ms?: number }[] = [];

beforeAll(async () => {
  const log = new PassThrough().on('data', (line) => lines.push(JSON.parse(String(line))));
  site = await startSiteUnderTest({}, { logger: pino({ level: 'info' }, log) });
});
afterAll(() => site.close());

it('a client that leaves before its response is counted and logged as 499, with the time it waited', async () => {
  await site.faults([{ path: '/api/post/topic/*', kind: 'latency', ms: 5_000 }]);
  await site.forgetCalls();
  const leaving = new AbortController();
  const asked = fetch(`${site.origin}/topic/news`, { signal: leaving.signal }).catch((error) => error.name);
  await expect.poll(async () => Object.keys(await site.calls())).toContain('GET /api/post/topic/news');
  leaving.abort();
  expect(await asked).toBe('AbortError');
  const counted = async () => (await request(site.ops).get('/metrics')).text;
  await expect
    .poll(counted)
    .toMatch(/^http_requests_total\{route="\/topic\/:category",method="GET",status="499"\} 1$/m);
  const line = lines.find((one) => one['http.response.status_code'] === 499);
  expect(line?.ms).toBeGreaterThan(0);
  await site.faults([]);
});

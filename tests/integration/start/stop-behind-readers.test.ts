import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startSiteUnderTest } from '../site-under-test.ts';

it('a stop that cuts a page which is built behind its readers is no warning', async () => {
  const log: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) });
  const env = { CACHE_TOPIC_TTL: '1', CACHE_TOPIC_SWR: '0', CACHE_TOPIC_SIE: '0', CACHE_NAVIGATION_TTL: '1' };
  const site = await startSiteUnderTest(env, { logger, hasRenderThread: true });
  await site.faults([{ path: '/api/advertisement/*', kind: 'status', status: 503 }]);
  expect((await fetch(`${site.origin}/topic/news`)).status).toBe(200);
  await site.faults([{ path: '/api/*', kind: 'hang' }]);
  await site.forgetCalls();
  // An incomplete page is built again after five seconds, whether somebody asks or not.
  await expect.poll(async () => Object.keys(await site.calls()).join()).toContain('GET /api/post/topic/news');
  log.length = 0;
  await site.close();
  expect(log).toEqual([]);
});

import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;
let pressed: boolean;

beforeAll(async () => {
  site = await startSiteUnderTest({}, { isOverloaded: () => pressed });
});
afterAll(() => site.close());
beforeEach(() => {
  pressed = false;
});

const get = (path: string) => request(site.origin).get(path);

describe('a server with more work than it can do', () => {
  it('goes on serving what is cached', async () => {
    await get('/').expect(200);
    await get('/api/home').expect(200);
    pressed = true;
    await get('/').expect(200);
    await get('/api/home').expect(200);
    await get('/healthz').expect(200);
    await get('/readyz').expect(200);
  });

  it.each(['/topic/news', '/api/topics/news', '/feed.xml'])(
    'refuses %s, which it would have to make, for the moment',
    async (path) => {
      pressed = true;
      await site.forgetCalls();
      const { headers } = await get(path).set('accept', 'text/html').expect(503);
      expect(headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
      expect(headers['cache-status']).toMatch(/^(page|data); fwd=miss$/);
      expect(await site.calls()).toEqual({});
      pressed = false;
      await get(path).expect(200);
    },
  );

  it('still takes what readers send', async () => {
    pressed = true;
    await request(site.origin).post('/api/subscriptions').send({ email: 'pressed@example.com' }).expect(201);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { startSiteUnderTest } from '../integration/site-under-test.ts';
import { startRedis } from './redis-server.ts';

it('a change that two instances see is purged at the CDN by one of them, also when the value changes back', async () => {
  const purged: string[][] = [];
  const server = createServer(async (request, response) => {
    purged.push(JSON.parse(await text(request)).tags);
    response.writeHead(200).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const redis = await startRedis();
  const env = {
    REDIS_URL: redis.url,
    CDN: 'cloudflare',
    CDN_PURGE_URL: `http://127.0.0.1:${port}`,
    CDN_TOKEN: 'a-token',
    CDN_ZONE: 'zone1',
    CACHE_ARTICLE_TTL: '1',
    CACHE_ARTICLE_SWR: '1',
  };
  const first = await startSiteUnderTest(env, { redisBudgetMs: 5_000 });
  const second = await startSiteUnderTest(env, { redisBudgetMs: 5_000, demoCms: first.demoCms });
  try {
    const { top } = await (await fetch(`${first.origin}/api/home`)).json();
    const path = `/${top[0].category}/${top[0].slug}`;
    const call = `/api/post/postdetails${path}`;
    const original = await (await fetch(first.demoCms + call)).text();
    const shows = async (title: string) => {
      for (const site of [first, second])
        await vi.waitFor(
          async () => expect(await (await fetch(site.origin + path)).text()).toContain(`>${title}</h1>`),
          { timeout: 20_000, interval: 50 },
        );
    };
    const change = async (title: string) => {
      const body = JSON.parse(original.replaceAll(/"post_title":"[^"]*"/g, `"post_title":"${title}"`));
      await first.faults([{ path: call, kind: 'wrong-json', body }]);
      await shows(title);
    };
    // Only a value that was known before can change.
    for (const site of [first, second]) await (await fetch(site.origin + path)).text();
    await change('One');
    await vi.waitFor(() => expect(purged).toHaveLength(1), { timeout: 20_000 });
    await change('Two');
    await change('One');
    await vi.waitFor(() => expect(purged.length).toBeGreaterThanOrEqual(3), { timeout: 20_000 });
    expect(purged).toEqual(purged.map(() => [`post:${top[0].id}`]));
    expect(purged).toHaveLength(3);
  } finally {
    await second.close();
    await first.close();
    await redis.stop();
    server.closeAllConnections();
    server.close();
  }
});

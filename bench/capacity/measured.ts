import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { startRedis } from '../../tests/redis/redis-server.ts';
import { seeded, zipf } from '../../tests/seeded.ts';
import { startMeasured, startSite } from '../processes.ts';
import type { RecordedAccess } from './model.ts';

const Post = z.object({ cat_slug: z.string(), post_name: z.string() });
const Topic = z.object({ posts: z.object({ postData: z.array(Post) }) });
const Calls = z.record(z.string(), z.number());

/** Measures the upstream calls a minute for articles of real, warm instances before the demo CMS, with the same readers. */
export async function measure(
  { pages, ttlSeconds, instances, shared, readsPerSecond }: RecordedAccess,
  seconds: number,
): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'capacity-'));
  const redis = shared ? await startRedis() : null;
  const demoCms = await startMeasured(['demo/start.ts', '--faults'], {}, '1');
  const sites = await Promise.all(
    Array.from({ length: instances }, (_, index) =>
      startSite({
        env: {
          API_HOST: demoCms.origin,
          IMAGE_HOST: `${demoCms.origin}/media`,
          IP_LOOKUP_URL: `${demoCms.origin}/lookup?format=json`,
          DATA_DIR: join(dir, String(index)),
          CACHE_ARTICLE_TTL: String(ttlSeconds),
          ...(redis && { REDIS_URL: redis.url }),
        },
      }),
    ),
  );
  try {
    const topics = ['news', 'featured', 'quickbytes'].map(async (topic) => {
      const response = await fetch(`${demoCms.origin}/api/post/topic/${topic}?page=1&limit=100`);
      return Topic.parse(await response.json()).posts.postData;
    });
    const posts = (await Promise.all(topics)).flat().slice(0, pages);
    if (posts.length < pages) throw new Error(`the demo CMS has only ${posts.length} of ${pages} articles`);
    const random = seeded(7);
    const nextPage = zipf(pages, random);

    async function readFor(seconds: number): Promise<void> {
      const until = performance.now() + seconds * 1_000;
      while (performance.now() < until) {
        const site = sites[Math.floor(random() * instances)];
        const post = posts[nextPage()];
        if (site && post)
          await (await fetch(`${site.origin}/api/articles/${post.cat_slug}/${post.post_name}`)).text();
        await pause(1_000 / readsPerSecond);
      }
    }

    await readFor(3 * ttlSeconds);
    await fetch(`${demoCms.origin}/demo-cms/calls`, { method: 'DELETE' });
    await readFor(seconds);
    const calls = Calls.parse(await (await fetch(`${demoCms.origin}/demo-cms/calls`)).json());
    const articles = Object.entries(calls).filter(([call]) => call.includes('/postdetails/'));
    return (articles.reduce((sum, [, count]) => sum + count, 0) * 60) / seconds;
  } finally {
    for (const site of sites) await site.stop();
    await demoCms.stop();
    await redis?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

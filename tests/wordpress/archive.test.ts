import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type DrillProcess, startProcess } from '../faults/processes/server-process.ts';
import { freePort } from '../free-port.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { TAKES_ALL } from '../matrix.ts';
import { hasWordpress } from './ensure-wordpress.ts';
import { startWordpress, type Wordpress } from './wordpress.ts';

/** PHP takes a second of the processor for each hundred. */
const MANY = TAKES_ALL ? 5_000 : 600;
const SLOW = { timeout: 60_000 };
/** Of the adapter's process after all of it. */
const MAX_MEMORY = 300 * 1024 * 1024;

const Topic = z.object({
  posts: z.object({
    postData: z.array(z.object({ id: z.number() })),
    pagination: z.object({ totalItems: z.number(), totalPages: z.number() }),
  }),
});

describe.skipIf(!hasWordpress() && process.env['CI'] === undefined)('a WordPress of many posts', () => {
  let dir: string;
  let wordpress: Wordpress;
  let adapter: DrillProcess;
  let origin: string;
  let site: SiteUnderTest;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'wordpress-archive-'));
    wordpress = await startWordpress({ many: MANY, choose: () => [] });
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    adapter = startProcess(['wordpress/wordpress.ts', wordpress.url, '--port', String(port)], {
      DATA_DIR: dir,
      UPSTREAM_TIMEOUT_MS: '60000',
    });
    await vi.waitUntil(() => adapter.log.some((line) => line.startsWith('API_HOST=')), SLOW);
    site = await startSiteUnderTest(
      { API_HOST: origin, IMAGE_HOST: `${origin}/media`, IMAGE_RESIZE: 'on', UPSTREAM_TIMEOUT_MS: '60000' },
      { demoCms: origin },
    );
  });
  afterAll(async () => {
    await site.close();
    adapter.kill('SIGTERM');
    await adapter.ended;
    await wordpress.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const topic = async (path: string) =>
    Topic.parse(await (await fetch(`${origin}/api/post/topic/${path}`)).json()).posts;

  it('has each of them on one page of its section', async () => {
    for (const section of ['news', 'podcasts']) {
      const { pagination } = await topic(`${section}?page=1&limit=100`);
      expect(pagination.totalItems).toBeGreaterThanOrEqual(MANY / 2);
      const ids = new Set<number>();
      for (let page = 1; page <= pagination.totalPages; page += 1)
        for (const { id } of (await topic(`${section}?page=${page}&limit=100`)).postData) ids.add(id);
      // One is behind a password.
      expect(pagination.totalItems - ids.size).toBeLessThanOrEqual(1);
    }
    const { postData } = await topic(`news?page=${MANY / 20}&limit=10`);
    expect(postData).toHaveLength(10);
  });

  it('has them all in the sitemaps', async () => {
    const locations = async (path: string): Promise<string[]> => {
      const xml = await (await fetch(site.origin + path)).text();
      return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(String(url)).pathname);
    };
    const found: string[] = [];
    for (const path of await locations('/sitemap.xml'))
      found.push(...(path.endsWith('.xml') ? await locations(path) : [path]));
    expect(new Set(found.filter((path) => path.includes('/entry-'))).size).toBe(MANY);
  });

  it('takes no more memory than one of a hundred', () => {
    expect(adapter.memory()).toBeLessThan(MAX_MEMORY);
  });
});

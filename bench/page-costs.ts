import { join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { createBodyRenderer } from '#server/article-html/body-renderer.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import { createCmsClient } from '#server/cms/client/cms-client.ts';
import { createCmsApi } from '#server/cms/cms-api.ts';
import { createCacheQueries } from '#server/content/cache-queries.ts';
import { renderResponse } from '#server/render/render-response.ts';
import { buildCachedResponseSync } from '#server/render/response-cache/encoded-bodies.ts';
import { createResponseCache } from '#server/render/response-cache/response-cache.ts';
import { loadBuild } from '#server/render/site-build.ts';
import { systemClock } from '#server/time.ts';
import { launchBrowser } from './browser.ts';
import { median } from './load.ts';

const RENDERED = 200;
const LOADED = 7;
const LOOKED_UP = 1_000_000;
const REFRESHED = 1_000;
const CACHE_BYTES = 25_000_000;
const DEADLINE_MS = 10_000;

const Data = z.record(z.string(), z.unknown());

async function dataOf(url: string): Promise<z.infer<typeof Data>> {
  return Data.parse(await (await fetch(url)).json());
}

/** Returns the medians of rendering and of compressing a page in milliseconds, after as many warm-up runs. */
export async function renderCosts(origin: string, article: string): Promise<Record<string, string>> {
  const { bundle, assets } = await loadBuild(join(import.meta.dirname, '..'));
  const root = await dataOf(`${origin}/api/navigation`);
  const pages = [
    { name: 'home', url: '/', loaderData: { root, home: await dataOf(`${origin}/api/home`) } },
    {
      name: 'article',
      url: article,
      loaderData: { root, article: await dataOf(`${origin}/api/articles${article}`) },
    },
  ];
  const costs: Record<string, string> = {};
  for (const { name, url, loaderData } of pages) {
    const renders: number[] = [];
    const compressions: number[] = [];
    for (let render = 0; render < 2 * RENDERED; render++) {
      const renderInput = { url, origin, loaderData, error: null };
      const { renderMs, compressMs } = await renderResponse(bundle, assets, { status: 200, renderInput });
      if (render < RENDERED) continue;
      renders.push(renderMs);
      compressions.push(compressMs);
    }
    costs[name] =
      `${median(renders).toFixed(1)} ms rendered, ${median(compressions).toFixed(1)} ms compressed`;
  }
  return costs;
}

/** Returns the medians of a browser's main-thread time for scripts and hydration on first visits, in milliseconds. */
export async function hydrationCosts(
  origin: string,
  paths: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const browser = await launchBrowser();
  const costs: Record<string, string> = {};
  for (const [name, path] of Object.entries(paths)) {
    const scripts: number[] = [];
    const live: number[] = [];
    for (let load = 0; load < LOADED; load++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable');
      const began = performance.now();
      await page.goto(origin + path);
      await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
      live.push(performance.now() - began);
      const { metrics } = await session.send('Performance.getMetrics');
      scripts.push((metrics.find((metric) => metric.name === 'ScriptDuration')?.value ?? Number.NaN) * 1_000);
      await context.close();
    }
    costs[name] =
      `${median(scripts).toFixed(0)} ms of scripts, live after ${median(live).toFixed(0)} ms in all`;
  }
  await browser.close();
  return costs;
}

/** Returns the processor time of a refresh of an article that is the same, in seconds: the call, and all that the cache does. */
export async function refreshCost(origin: string, articles: readonly string[]): Promise<number> {
  const client = createCmsClient({
    origin,
    timeoutMs: DEADLINE_MS,
    logger: pino({ level: 'silent' }),
    clock: systemClock,
  });
  const cms = createCmsApi({
    client,
    renderHtml: createBodyRenderer(),
    imageHost: '/media',
    imagesServedBelow: null,
    publicOrigin: 'https://www.example.com',
    report: () => undefined,
  });
  const queries = createCacheQueries(cms);
  const cache = createContentCache({
    policies: DEFAULT_POLICIES,
    maxBytes: CACHE_BYTES,
    clock: systemClock,
  });
  // Each read loads.
  cache.mode.set({ mode: 'bypass' });
  const refresh = async (index: number) => {
    const [, category = '', slug = ''] = articles[index % articles.length]?.split('/') ?? [];
    await cache.read(queries.article({ category, slug }), new DependencyTracker());
  };
  for (let index = 0; index < REFRESHED; index++) await refresh(index);
  const before = process.cpuUsage();
  for (let index = 0; index < REFRESHED; index++) await refresh(index);
  const { user, system } = process.cpuUsage(before);
  await client.close();
  return (user + system) / 1e6 / REFRESHED;
}

/** Returns the time of one look-up among `pages` cached responses, in nanoseconds. Keys are read with a fixed stride. */
export async function lookUpCost(pages: number): Promise<number> {
  const content = createContentCache({ policies: DEFAULT_POLICIES, maxBytes: 1e9, clock: systemClock });
  const responses = createResponseCache<null>({ content, maxBytes: 4e9, clock: systemClock });
  const keys = Array.from({ length: pages }, (_, index) => `/news/story-number-${index}`);
  const response = buildCachedResponseSync(200, 'text/html', '<!DOCTYPE html>');
  for (const key of keys) {
    const request = { resource: 'article' as const, key, tags: () => [key], load: async () => key };
    await responses.get(key, async (tracker) => {
      await content.read(request, tracker);
      return { kind: 'response', response, extra: null };
    });
  }
  const stride = 7_919;
  const began = performance.now();
  for (let look = 0; look < LOOKED_UP; look++) {
    if (!responses.cached(keys[(look * stride) % pages] ?? '')) throw new Error('a finished page is gone');
  }
  return ((performance.now() - began) / LOOKED_UP) * 1e6;
}

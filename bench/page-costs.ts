import { join } from 'node:path';
import { z } from 'zod';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DEFAULT_POLICIES } from '#server/cache/resources.ts';
import { loadBuild } from '#server/render/assets.ts';
import { finishAnswerHere } from '#server/render/cached-response.ts';
import { drawFinished } from '#server/render/renderer.ts';
import { createAnswerCache } from '#server/render/response-cache.ts';
import { launchBrowser } from './browser.ts';
import { median } from './load.ts';

const DRAWN = 200;
const LOADED = 7;
const LOOKED_UP = 1_000_000;

const Data = z.record(z.string(), z.unknown());

async function dataOf(url: string): Promise<z.infer<typeof Data>> {
  return Data.parse(await (await fetch(url)).json());
}

/** What drawing a page costs a thread, and what compressing it does, in milliseconds: medians of many, after as many before. */
export async function renderCosts(origin: string, article: string): Promise<Record<string, string>> {
  const { bundle, assets } = await loadBuild(join(import.meta.dirname, '..'));
  const shell = await dataOf(`${origin}/api/navigation`);
  const pages = [
    { name: 'home', url: '/', loaderData: { shell, home: await dataOf(`${origin}/api/home`) } },
    {
      name: 'article',
      url: article,
      loaderData: { shell, article: await dataOf(`${origin}/api/articles${article}`) },
    },
  ];
  const costs: Record<string, string> = {};
  for (const { name, url, loaderData } of pages) {
    const draws: number[] = [];
    const compressions: number[] = [];
    for (let draw = 0; draw < 2 * DRAWN; draw++) {
      const began = performance.now();
      const drawing = { url, origin, loaderData, error: null };
      const { renderMs } = await drawFinished(bundle, assets, { status: 200, drawing });
      if (draw < DRAWN) continue;
      draws.push(renderMs);
      compressions.push(performance.now() - began - renderMs);
    }
    costs[name] = `${median(draws).toFixed(1)} ms drawn, ${median(compressions).toFixed(1)} ms compressed`;
  }
  return costs;
}

/** What a page's scripts and its hydration take of a browser's main thread, in milliseconds: medians of first visits. */
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
      await page.locator('html[data-live]').waitFor({ state: 'attached' });
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

/** How long one look-up of a finished page takes among so many, in nanoseconds. Readers choose by a fixed stride. */
export async function lookUpCost(pages: number): Promise<number> {
  const clock = () => performance.now();
  const content = createContentCache({ policies: DEFAULT_POLICIES, maxBytes: 1e9, clock });
  const answers = createAnswerCache<null>({ content, maxBytes: 4e9, clock });
  const keys = Array.from({ length: pages }, (_, index) => `/news/story-number-${index}`);
  const answer = finishAnswerHere(200, 'text/html', '<!DOCTYPE html>');
  for (const key of keys) {
    const request = { resource: 'article' as const, key, tags: () => [key], load: async () => key };
    await answers.get(key, async (reading) => {
      await content.read(request, reading);
      return { kind: 'answer', answer, extra: null };
    });
  }
  const stride = 7_919;
  const began = performance.now();
  for (let look = 0; look < LOOKED_UP; look++) {
    if (!answers.standing(keys[(look * stride) % pages] ?? '')) throw new Error('a finished page is gone');
  }
  return ((performance.now() - began) / LOOKED_UP) * 1e6;
}

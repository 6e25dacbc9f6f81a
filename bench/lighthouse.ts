import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../tests/free-port.ts';
import { launchBrowser } from './browser.ts';
import { CATEGORIES, METRIC_IDS, PHONE, type Round, SLOW_PHONE, scorePage } from './lighthouse-score.ts';
import { median } from './load.ts';
import { startSite } from './processes.ts';

/**
 * Lighthouse for phones, and for phones of half the speed, over the built site with the demo CMS; exits non-zero where a page
 * misses a goal.
 */

const ROUNDS = Number(process.env['LIGHTHOUSE_ROUNDS'] ?? 3);
const METRICS = {
  'first-contentful-paint': { name: 'FCP', most: 900 },
  'largest-contentful-paint': { name: 'LCP', most: 1_800 },
  'cumulative-layout-shift': { name: 'CLS', most: 0 },
  'total-blocking-time': { name: 'TBT', most: Number.POSITIVE_INFINITY },
} as const;
const dir = await mkdtemp(join(tmpdir(), 'lighthouse-'));
const site = await startSite({ env: { DATA_DIR: dir } });
const port = await freePort();
const browser = await launchBrowser(`--remote-debugging-port=${port}`);

/** Returns whether the page holds every goal. The goals of times are those of `PHONE`. */
async function report(path: string, cpuSlowdown: number): Promise<boolean> {
  await (await fetch(site.origin + path)).text();
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await scorePage(site.origin + path, port, cpuSlowdown));
  const score = (name: string) => median(rounds.map(({ scores }) => scores[name] ?? 0));
  const metric = (id: string) => median(rounds.map(({ metrics }) => metrics[id] ?? Number.NaN));
  const held =
    score('performance') >= 98 &&
    CATEGORIES.slice(1).every((name) => score(name) === 100) &&
    (cpuSlowdown > PHONE || METRIC_IDS.every((id) => metric(id) <= METRICS[id].most));
  const scores = CATEGORIES.map((name) => `${name} ${score(name)}`).join(', ');
  const times = METRIC_IDS.map((id) => `${METRICS[id].name} ${Number(metric(id).toFixed(3))}`).join(', ');
  process.stdout.write(
    `${held ? 'held  ' : 'MISSED'}  ${path}, CPU ${cpuSlowdown} times slower: ${scores}; ${times}\n`,
  );
  const flaws = new Set(rounds.flatMap((round) => round.flaws));
  if (!held && flaws.size > 0) process.stdout.write(`          ${[...flaws].join(', ')}\n`);
  return held;
}

const Home = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) });

try {
  const home = Home.parse(await (await fetch(`${site.origin}/api/home`)).json());
  const [lead] = home.top;
  const paths = ['/', `/${lead?.category}/${lead?.slug}`, '/topic/news', '/events', '/contact-us'];
  for (const path of paths)
    for (const cpuSlowdown of [PHONE, SLOW_PHONE])
      if (!(await report(path, cpuSlowdown))) process.exitCode = 1;
} finally {
  await browser.close();
  await site.stop();
  await rm(dir, { recursive: true, force: true });
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { z } from 'zod';
import { findChromium } from '../tests/e2e/find-chromium.ts';
import { freePort } from '../tests/free-port.ts';
import { median } from './load.ts';
import { startMeasured } from './processes.ts';

/** Lighthouse for phones, over the built site with the demo newsroom; exits non-zero where a page misses a goal. */

const ROUNDS = Number(process.env['LIGHTHOUSE_ROUNDS'] ?? 3);
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

const METRICS = {
  'first-contentful-paint': { name: 'FCP', most: 900 },
  'largest-contentful-paint': { name: 'LCP', most: 1_800 },
  'cumulative-layout-shift': { name: 'CLS', most: 0 },
  'total-blocking-time': { name: 'TBT', most: Number.POSITIVE_INFINITY },
} as const;
const METRIC_IDS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'cumulative-layout-shift',
  'total-blocking-time',
] as const;

interface Round {
  scores: Record<string, number>;
  metrics: Record<string, number>;
  /** What keeps a score below 100, by Lighthouse's own names. */
  flaws: string[];
}

const dir = await mkdtemp(join(tmpdir(), 'lighthouse-'));
const site = await startMeasured(['bench/site.ts'], { DATA_DIR: dir });
const port = await freePort();
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox', `--remote-debugging-port=${port}`],
});

async function measure(path: string): Promise<Round> {
  const result = await lighthouse(site.origin + path, {
    port,
    onlyCategories: [...CATEGORIES],
    logLevel: 'error',
  });
  if (!result) throw new Error(`Lighthouse has no result for ${path}`);
  const { categories, audits } = result.lhr;
  const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)] as const);
  const metrics = METRIC_IDS.map((id) => [id, audits[id]?.numericValue ?? Number.NaN] as const);
  const weighed = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  );
  const flaws = weighed
    .map(({ id }) => audits[id])
    .filter((audit) => audit?.score !== null && (audit?.score ?? 1) < 0.9)
    .map((audit) => `${audit?.id} (${audit?.displayValue ?? audit?.title})`);
  return { scores: Object.fromEntries(scores), metrics: Object.fromEntries(metrics), flaws };
}

/** Answers whether the page holds every goal. */
async function report(path: string): Promise<boolean> {
  await (await fetch(site.origin + path)).text();
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(path));
  const score = (name: string) => median(rounds.map(({ scores }) => scores[name] ?? 0));
  const metric = (id: string) => median(rounds.map(({ metrics }) => metrics[id] ?? Number.NaN));
  const held =
    score('performance') >= 98 &&
    CATEGORIES.slice(1).every((name) => score(name) === 100) &&
    METRIC_IDS.every((id) => metric(id) <= METRICS[id].most);
  const scores = CATEGORIES.map((name) => `${name} ${score(name)}`).join(', ');
  const times = METRIC_IDS.map((id) => `${METRICS[id].name} ${Number(metric(id).toFixed(3))}`).join(', ');
  process.stdout.write(`${held ? 'held  ' : 'MISSED'}  ${path}: ${scores}; ${times}\n`);
  const flaws = new Set(rounds.flatMap((round) => round.flaws));
  if (!held && flaws.size > 0) process.stdout.write(`          ${[...flaws].join(', ')}\n`);
  return held;
}

const Home = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) });

try {
  const home = Home.parse(await (await fetch(`${site.origin}/api/home`)).json());
  const [lead] = home.top;
  const paths = ['/', `/${lead?.category}/${lead?.slug}`, '/topic/news', '/events', '/contact-us'];
  for (const path of paths) if (!(await report(path))) process.exitCode = 1;
} finally {
  await browser.close();
  await site.stop();
  await rm(dir, { recursive: true, force: true });
}

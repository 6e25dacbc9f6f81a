import lighthouse, { defaultConfig } from 'lighthouse';

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export const METRIC_IDS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'cumulative-layout-shift',
  'total-blocking-time',
] as const;

/** One run of Lighthouse over one page. */
export interface Round {
  scores: Record<string, number>;
  metrics: Record<string, number>;
  /** Ids of the audits that keep a score below 100. */
  flaws: string[];
}

/** How many times slower than this machine the simulated phone is: Lighthouse's own, and one of half that speed. */
export const PHONE = 4;
export const SLOW_PHONE = 8;

/**
 * Runs Lighthouse for phones on a page. `port`: of Chromium's remote debugging. `cpuSlowdown`: `PHONE` or `SLOW_PHONE`.
 * Rejects where there is no result.
 */
export async function scorePage(url: string, port: number, cpuSlowdown: number): Promise<Round> {
  const { throttling } = defaultConfig.settings ?? {};
  const result = await lighthouse(url, {
    port,
    onlyCategories: [...CATEGORIES],
    throttling: { ...throttling, cpuSlowdownMultiplier: cpuSlowdown },
    logLevel: 'error',
  });
  if (!result) throw new Error(`Lighthouse has no result for ${url}`);
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

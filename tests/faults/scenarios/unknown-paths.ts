import { z } from 'zod';
import { underLoad } from '../load/light-load.ts';
import { ages, type DrillSite, LONG_TIMEOUT, request, startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const ADDRESSES = { short: 200, long: 5_000 };
const CONCURRENT_REQUESTS = 8;
/** Long freshness: no refresh during the drill. */
const AGES = ages({ ttl: 3_600, swr: 60, sie: 60 });
const WARM = ['/', '/topic/news', '/about'];

const Entries = z
  .record(z.string(), z.looseObject({ entries: z.number() }))
  .transform((all) => Object.values(all).reduce((sum, { entries }) => sum + entries, 0));

interface Seen {
  entries: number;
  renders: number;
  calls: number;
}

/** Tests unknown paths and other spellings of known ones: neither may cost more than a cached page. */
export async function drillUnknownPaths(report: Report, short: boolean): Promise<void> {
  const site = await startDrillSite({ ...AGES, ...LONG_TIMEOUT });
  try {
    await site.warmUp(WARM);
    await site.get('/404');
    const count = short ? ADDRESSES.short : ADDRESSES.long;
    const before = await look(site);
    const readers = await underLoad(site.server().origin, WARM, async () => {
      const unknown = await flood(site, count, (index) => UNKNOWN[index % UNKNOWN.length]?.(index) ?? '/404');
      const respelled = await flood(
        site,
        count,
        (index) => RESPELLED[index % RESPELLED.length]?.(index) ?? '/404',
      );
      report.seen('unknownPaths', 'cold page', textOf(unknown), allIn(unknown, [404]));
      report.seen('unknownPaths', 'process', textOf(respelled), allIn(respelled, [200, 308, 404]));
    });
    const after = await look(site);
    const more = {
      entries: after.entries - before.entries,
      renders: after.renders - before.renders,
      calls: after.calls,
    };
    const cost = `${more.entries} more entries, ${more.renders} renders, ${more.calls} calls of the upstream`;
    report.seen('unknownPaths', 'process', cost, more.entries + more.renders + more.calls === 0);
    const whole = readers.statuses[200] === readers.asked;
    report.seen('unknownPaths', 'warm page', `${readers.asked} reads, all 200: ${whole}`, whole);
  } finally {
    await site.close();
  }
}

const UNKNOWN: readonly ((index: number) => string)[] = [
  (index) => `/nothing-${index}`,
  (index) => `/no/such/page/${index}`,
  (index) => `/a/file-${index}.map`,
  (index) => `/wp-admin/${index}`,
];

const RESPELLED: readonly ((index: number) => string)[] = [
  (index) => `/topic/news/?x=${index}`,
  (index) => `/${capitals('topic', index)}/news`,
  (index) => `/${capitals('about', index)}`,
  (index) => `/ab%6${index % 2 ? 'f' : 'F'}ut?${index}`,
  (index) => `/topic/news?page=${'0'.repeat(index % 9)}1`,
  (index) => `/sitemaps/posts-${'0'.repeat(1 + (index % 20))}1.xml`,
];

/** Writes the letters of a word in upper case where `index` has a bit set. */
function capitals(word: string, index: number): string {
  return [...word].map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter)).join('');
}

async function flood(site: DrillSite, count: number, addressOf: (index: number) => string) {
  const statuses: Record<number, number> = {};
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  async function ask(): Promise<void> {
    for (const index of indexes) {
      const { status } = await request(site.server().origin + addressOf(index), { redirect: 'manual' });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, ask));
  return statuses;
}

async function look(site: DrillSite): Promise<Seen> {
  const { ops } = site.server();
  const entries = Entries.parse(await (await fetch(`${ops}/cache`)).json());
  const metrics = await (await fetch(`${ops}/metrics`)).text();
  const renders = Number(/^render_duration_seconds_count (\d+)$/m.exec(metrics)?.[1]);
  const calls = Object.entries(await site.demoCms.calls())
    .filter(([call]) => call.startsWith('GET /api/'))
    .reduce((sum, [, times]) => sum + times, 0);
  await site.demoCms.forgetCalls();
  return { entries, renders, calls };
}

const textOf = (statuses: Record<number, number>) =>
  Object.entries(statuses)
    .map(([status, times]) => `${status} x ${times}`)
    .join(', ');

const allIn = (statuses: Record<number, number>, wanted: readonly number[]) =>
  Object.keys(statuses).every((status) => wanted.includes(Number(status)));

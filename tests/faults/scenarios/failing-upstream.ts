import { setTimeout as pause } from 'node:timers/promises';
import type { FaultRule } from '#demo/faults/faults.ts';
import type { FaultName } from '../fault-table.ts';
import { allAre, loadText, underLoad } from '../load/light-load.ts';
import {
  DEADLINE_MS,
  type DrillSite,
  eventually,
  milliseconds,
  SHORT_AGES,
  SLACK_MS,
  startDrillSite,
  type TimedResponse,
} from '../processes/site-process.ts';
import type { Report } from '../report.ts';

/** One way in which the upstream fails, and which promises are checked. */
interface Failure {
  name: FaultName;
  /** Fault rules of the demo CMS; null: its process is killed. */
  rules: FaultRule[] | null;
  /** Expected status of a cold article; 503 by default. */
  cold?: 302;
  /** What is promised of form posts and view counts: delivery after recovery, or nothing. */
  writes: 'later' | 'none';
  short?: boolean;
}

const API = '/api/*';
const status = (code: number): FaultRule[] => [{ path: API, kind: 'status', status: code }];
const kind = (name: FaultRule['kind'], more: Partial<FaultRule> = {}): FaultRule[] => [
  { path: API, kind: name, ...more },
];

const FAILURES: Failure[] = [
  { name: 'refused', rules: null, writes: 'later' },
  { name: 'reset', rules: kind('reset'), writes: 'later', short: true },
  { name: 'status500', rules: status(500), writes: 'later' },
  { name: 'status502', rules: status(502), writes: 'later' },
  { name: 'status503', rules: status(503), writes: 'later' },
  { name: 'status504', rules: status(504), writes: 'later' },
  { name: 'status429', rules: status(429), writes: 'later' },
  { name: 'status403', rules: status(403), writes: 'later' },
  { name: 'status501', rules: status(501), cold: 302, writes: 'later' },
  { name: 'hangs', rules: kind('hang'), writes: 'later' },
  { name: 'drips', rules: kind('slow-body', { ms: 50 }), writes: 'none' },
  { name: 'cutBody', rules: kind('cut-body'), writes: 'none' },
  { name: 'brokenJson', rules: kind('broken-json'), writes: 'none' },
  { name: 'html', rules: kind('html'), writes: 'none' },
  { name: 'wrongType', rules: kind('wrong-json', { body: 'a text' }), writes: 'none' },
  { name: 'hugeBody', rules: kind('huge-body'), writes: 'none' },
  { name: 'deepJson', rules: kind('deep-json'), writes: 'none' },
  { name: 'bomb', rules: kind('gzip-bomb'), writes: 'none' },
];

/** An entry is stale after a second, and served only while loads fail after three: a row's load crosses both. */
const ROW_MS = 3_500;
const SHORT_ROW_MS = 1_500;
/** Upper bound of a stale response: the wait for a refresh, and slack. */
const IMMEDIATE_MS = 250 + SLACK_MS / 2;
/** Time for the circuit breaker to close and the outbox's backoff to end. */
const HEALING_MS = 60_000;

/** Tests warm pages under load, cold pages, form posts and view counts for each way in which the upstream fails. */
export async function drillFailingUpstream(report: Report, short: boolean): Promise<void> {
  const site = await startDrillSite(SHORT_AGES);
  try {
    const articles = await site.demoCms.articles();
    const [hot = '', ...cold] = articles;
    const warm = ['/', hot, '/topic/news', '/events', '/tag/artificial-intelligence'];
    for (const failure of FAILURES) {
      if (short && !failure.short) continue;
      await drillOne(report, site, failure, {
        hot,
        warm,
        cold: cold.splice(0, 2),
        rowMs: short ? SHORT_ROW_MS : ROW_MS,
      });
    }
  } finally {
    await site.close();
  }
}

interface Pages {
  hot: string;
  warm: string[];
  cold: string[];
  rowMs: number;
}

async function drillOne(report: Report, site: DrillSite, failure: Failure, pages: Pages): Promise<void> {
  const { name, rules, writes } = failure;
  await site.warmUp(pages.warm);
  await viewsArrived(site);
  const viewsBefore = (await site.demoCms.views()).length;
  if (rules) await site.demoCms.faults(rules);
  else await site.demoCms.leave();
  // Before the circuit breaker opens, which hides the upstream's status.
  const tagResponse = name === 'status500' ? await site.get('/tag/not-yet-read') : null;
  await pause(1_100);

  const [first = '', second = ''] = pages.cold;
  const email = `${name}@example.com`;
  let coldResponse: TimedResponse | null = null;
  let formResponse: TimedResponse | null = null;
  const seen = await underLoad(site.server().origin, pages.warm, async () => {
    const until = performance.now() + pages.rowMs;
    coldResponse = await site.get(first);
    formResponse = writes === 'none' ? null : await site.contact(email);
    await pause(Math.max(0, until - performance.now()));
  });
  const again = await site.get(second);
  report.seen(name, 'warm page', loadText(seen), allAre(seen, 200, IMMEDIATE_MS));
  reportCold(report, failure, { first: coldResponse, again, tag: tagResponse });

  if (rules) await site.demoCms.faults([]);
  else await site.demoCms.comeBack();
  if (writes !== 'none') {
    await reportForm(report, site, failure, email, formResponse);
    const documents = (seen.statuses[200] ?? 0) / pages.warm.length;
    await reportViews(report, site, failure, viewsBefore, Math.floor(documents) - 4);
  }
  await healed(site, pages.hot);
}

/** Waits until all views are delivered. */
async function viewsArrived(site: DrillSite): Promise<boolean> {
  return eventually(async () => {
    const { pending } = await site.outbox();
    return pending.views === 0;
  }, HEALING_MS);
}

/** Waits until the circuit breaker is closed again. */
async function healed(site: DrillSite, path: string): Promise<void> {
  const back = await eventually(async () => {
    await site.get(path);
    const metrics = await (await fetch(`${site.server().ops}/metrics`)).text();
    return metrics.includes('upstream_circuit_breaker_state{state="closed"} 1');
  }, HEALING_MS);
  if (!back) throw new Error('the breaker does not close');
}

function reportCold(
  report: Report,
  { name, cold }: Failure,
  { first, again, tag }: { first: TimedResponse | null; again: TimedResponse; tag: TimedResponse | null },
): void {
  const responses = [first, again].filter((response) => response !== null);
  const isRight = cold === 302 ? isSentTo404 : isWholeUnavailable;
  const texts = responses.map(({ status, ms }) => `${status} after ${milliseconds(ms)}`);
  const inTime = responses.every(({ ms }) => ms <= DEADLINE_MS + SLACK_MS);
  const tagText = tag ? `; tag: ${tag.status} to ${tag.headers.get('location')}` : '';
  const ok = responses.every(isRight) && inTime && (tag === null || isSentTo404(tag));
  report.seen(name, 'cold page', texts.join(', then ') + tagText, ok);
}

function isSentTo404({ status, headers }: TimedResponse): boolean {
  return status === 302 && headers.get('location') === '/404' && headers.get('cache-control') === 'no-store';
}

function isWholeUnavailable({ status, headers, text }: TimedResponse): boolean {
  return (
    status === 503 &&
    headers.get('cache-control') === 'no-store' &&
    headers.has('retry-after') &&
    text.includes('</footer>') &&
    text.includes('</html>')
  );
}

async function reportForm(
  report: Report,
  site: DrillSite,
  { name }: Failure,
  email: string,
  response: TimedResponse | null,
): Promise<void> {
  if (!response) return;
  const inTime = response.ms <= DEADLINE_MS + SLACK_MS;
  const arrived = await eventually(
    async () => (await site.demoCms.received('contact')).includes(email),
    HEALING_MS,
  );
  const times = (await site.demoCms.received('contact')).filter((one) => one === email).length;
  const text = `${response.status} after ${milliseconds(response.ms)}, arrived ${times} times`;
  report.seen(name, 'form post', text, response.status === 502 && inTime && arrived && times === 1);
}

/** Checks that all views of the failure arrive, at least `least`, none twice. */
async function reportViews(
  report: Report,
  site: DrillSite,
  { name }: Failure,
  before: number,
  least: number,
): Promise<void> {
  const outbox = async () => {
    const { pending, rejected } = await site.outbox();
    return { views: pending.views, rejected };
  };
  const drained = await eventually(async () => {
    const { views, rejected } = await outbox();
    return views === 0 && rejected === 0;
  }, HEALING_MS * 2);
  const views = (await site.demoCms.views()).slice(before);
  const keys = new Set(views.map(({ idempotencyKey }) => idempotencyKey));
  const text = `${views.length} arrived, at least ${least} expected, ${views.length - keys.size} twice`;
  report.seen(name, 'view count', text, drained && views.length >= least && keys.size === views.length);
}

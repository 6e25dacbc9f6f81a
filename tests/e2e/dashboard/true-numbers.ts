import type { Page } from '@playwright/test';
import { z } from 'zod';
import { count, percent } from '#client/dashboard/elements/format.ts';
import { createSampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { SLOW_SECONDS } from '#shared/alerts-on-dashboard.ts';
import {
  declarations,
  MAX_SERIES,
  type SampledDuration,
  sampledBounds,
} from '#shared/metric-declarations.ts';
import { PAGE_PATHS } from '../page-paths.ts';
import { callOps, expect } from './dashboard-site.ts';
import type { Incident, UpstreamRequest } from './incident.ts';

/** How long numbers of the dashboard and of the upstream may take to be of the same moment. */
const AGREEMENT_MS = 60_000;
const MINUTE_MS = 60_000;
/** The site counts a response before its reader has it, and one of the upstream after that has sent it. */
const EDGE_MS = 1_000;
/** Below this count a ratio and a quantile say nothing. */
const MIN_SAMPLES = 20;
/** How far a duration may be from that of the other end, besides the delay of the event loop. */
const SLACK_MS = 20;

/** Samples between which a number is: when the oldest was taken, and the newest, each as far as it is known. */
interface Span {
  from: readonly [early: number, late: number];
  to: readonly [early: number, late: number];
}

/** What a number may be. `mayBeUnknown`: a dash is true too. */
interface Range {
  least: number;
  most: number;
  mayBeUnknown?: boolean;
}

/** The moment that the page is of. */
interface Moment {
  minute: Span;
  range: Span;
  /** Requests that were not sent, of all operations and of one, as `/metrics` counts them: they do not come to the upstream. */
  notSent: (operation: string | null) => number;
  /** Whether there are as many series as places: those of refusals by operation are the last. */
  isFull: boolean;
}

type Truth = (incident: Incident, moment: Moment, operation: string) => string | Range;

const exactly = (n: number): Range => ({ least: n, most: n });

/** Returns how many of some times are within a span: surely, and possibly. */
function countWithin(times: readonly number[], { from: [early, late], to }: Span): [number, number] {
  const surelyFrom = early === late ? late : late + EDGE_MS;
  const [least, most] = [
    times.filter((at) => at > surelyFrom && at <= to[0] - EDGE_MS),
    times.filter((at) => at > early - EDGE_MS && at <= to[1] + EDGE_MS),
  ];
  return [least.length, most.length];
}

/** Returns what so many in a span are in `unitMs`. */
function perTime([least, most]: readonly [number, number], { from, to }: Span, unitMs: number): Range {
  return {
    least: (least * unitMs) / Math.max(1_000, to[1] - from[0]),
    most: (most * unitMs) / Math.max(1_000, to[0] - from[1]),
  };
}

const perSecond = (times: readonly number[], span: Span) => perTime(countWithin(times, span), span, 1_000);

interface Duration {
  at: number;
  /** In seconds. */
  least: number;
  most: number;
}

/** Returns the bounds of the bucket that a quantile is in, for each place at which the span may begin. */
function quantileOf(q: number, durations: readonly Duration[], span: Span, bounds: readonly number[]): Range {
  const [surely] = countWithin(
    durations.map(({ at }) => at),
    span,
  );
  const [from, to] = [span.from[0] - EDGE_MS, span.to[1] + EDGE_MS];
  const possible = durations
    .filter(({ at }) => at > from && at <= to)
    .sort((one, other) => one.at - other.at);
  const found: Range = { least: Number.POSITIVE_INFINITY, most: 0, mayBeUnknown: false };
  for (let dropped = 0; dropped <= possible.length - surely; dropped++) {
    const kept = possible.slice(dropped);
    if (kept.length < MIN_SAMPLES) {
      found.mayBeUnknown = true;
      continue;
    }
    const nth = Math.ceil(q * kept.length) - 1;
    const at = (all: number[]) => all.sort((one, other) => one - other)[nth] ?? 0;
    const [low, high] = [at(kept.map(({ least }) => least)), at(kept.map(({ most }) => most))];
    found.least = Math.min(found.least, bounds.findLast((bound) => bound < low) ?? 0);
    found.most = Math.max(found.most, bounds.find((bound) => bound >= high) ?? Number.POSITIVE_INFINITY);
  }
  return found;
}

const boundsOf = (metric: SampledDuration, { upstreamTimeoutMs }: Incident) =>
  sampledBounds(metric, upstreamTimeoutMs);

/** Measured at the same socket as the site does. */
function responseDurations({ durations }: Incident): Duration[] {
  return durations.map(({ at, ms }) => ({ at, least: (0.9 * ms - 1) / 1_000, most: (1.1 * ms + 1) / 1_000 }));
}

/** Measured at the other end of the connection: each end may be as late as the event loop. */
function upstreamDurations(requests: readonly UpstreamRequest[], { loopDelayMs }: Incident): Duration[] {
  const slackMs = 2 * loopDelayMs().since + SLACK_MS;
  return requests.flatMap(({ at, latencyMs, ended }) => {
    if (ended === null) return [];
    const ms = ended.at - at;
    const least = Math.max(latencyMs, ms - slackMs) / 1_000;
    return [{ at: ended.at, least, most: (ms + slackMs) / 1_000 }];
  });
}

const responseTime = (q: number, of: 'minute' | 'range'): Truth => {
  return (incident, moment) =>
    quantileOf(
      q,
      responseDurations(incident),
      moment[of],
      boundsOf('http_request_duration_seconds', incident),
    );
};

/** Responses but for what a limit refused. */
const notRefused = ({ responses }: Incident) => responses.filter(({ status }) => status !== 429);

const responsesPerSecond = (
  isMeant: (response: Incident['responses'][number]) => boolean,
  of: 'minute' | 'range' = 'minute',
): Truth => {
  return ({ responses }, moment) =>
    perSecond(
      responses.filter(isMeant).map(({ at }) => at),
      moment[of],
    );
};

const requestsPerSecond = (isMeant: (request: EndedRequest) => boolean): Truth => {
  return ({ upstream }, { minute }) =>
    perSecond(
      endedOf(upstream)
        .filter(isMeant)
        .map(({ ended }) => ended.at),
      minute,
    );
};

type EndedRequest = UpstreamRequest & { ended: NonNullable<UpstreamRequest['ended']> };

/** Requests under way are counted when they end. */
function endedOf(upstream: readonly UpstreamRequest[], operation: string | null = null): EndedRequest[] {
  return upstream.flatMap((request) => {
    const { ended } = request;
    return ended === null || (operation !== null && request.operation !== operation)
      ? []
      : [{ ...request, ended }];
  });
}

const readsPerSecond = (outcome: EndedRequest['ended']['outcome']) =>
  requestsPerSecond(({ isDelivery, ended }) => !isDelivery && ended.outcome === outcome);

/** Of the whole range: a site that has run for minutes has no more. */
function shareOfErrors(incident: Incident): number | null {
  const all = notRefused(incident);
  return all.length === 0 ? null : all.filter(({ status }) => status >= 500).length / all.length;
}

/** Returns when those messages were made that the upstream has not taken. */
function waiting(
  made: readonly number[],
  { upstream }: Incident,
  isMeant: (operation: string) => boolean,
): number[] {
  const taken = endedOf(upstream).filter(({ operation, ended }) => isMeant(operation) && isFinal(ended));
  return made.slice(taken.length);
}

/** Statuses by which the upstream takes a message, or rejects it. */
const isFinal = ({ outcome, status }: EndedRequest['ended']) => outcome === 'ok' || isRejection(status);
const isRejection = (status: number) => [400, 409, 410, 413, 422].includes(status);

const isView = (operation: string) => operation === 'post.post_count';
const submissionsOf = (incident: Incident) =>
  waiting(incident.posts, incident, (operation) => operation.endsWith('.add'));
const viewsOf = (incident: Incident) =>
  waiting(
    incident.responses
      .filter(({ path, status }) => path === PAGE_PATHS.get('article') && status === 200)
      .map(({ at }) => at),
    incident,
    isView,
  );
const rejectedOf = ({ upstream }: Incident) =>
  endedOf(upstream).filter(
    ({ operation, isDelivery, ended }) => isDelivery && !isView(operation) && isRejection(ended.status),
  ).length;

/** What each number of the overview is, by its place and label: counted by the upstream, by readers and at the socket. */
const TRUTHS: Readonly<Record<string, Truth>> = {
  'numbers: Requests/s': responsesPerSecond(({ status }) => status !== 429, 'range'),
  'numbers: Hit ratio'({ responses }) {
    const results = responses.flatMap(({ result }) => (result === null ? [] : [result]));
    const ready = results.filter((result) => result === 'hit' || result === 'stale');
    return percent(results.length < MIN_SAMPLES ? null : ready.length / results.length);
  },
  'numbers: Error rate': (incident) => percent(shareOfErrors(incident)),
  'numbers: p95': responseTime(0.95, 'range'),
  'numbers: Burn rate, errors'(incident) {
    const share = notRefused(incident).length < MIN_SAMPLES ? null : shareOfErrors(incident);
    const burn = count(share && Math.round((share / 0.001) * 10) / 10);
    return `${burn} / ${burn}`;
  },
  'numbers: Burn rate, slow'(incident) {
    const durations = responseDurations(incident);
    if (durations.length < MIN_SAMPLES) return '– / –';
    const burnOf = (slow: Duration[]) => slow.length / durations.length / 0.01;
    return {
      least: burnOf(durations.filter(({ least }) => least > SLOW_SECONDS)),
      most: burnOf(durations.filter(({ most }) => most > SLOW_SECONDS)),
    };
  },
  'numbers: Event-loop lag': ({ loopDelayMs }) => ({ least: 0, most: loopDelayMs().withStart / 1_000 }),

  'plots: fresh': responsesPerSecond(({ result }) => result === 'hit'),
  'plots: stale': responsesPerSecond(({ result }) => result === 'stale'),
  'plots: waited': responsesPerSecond(({ result }) => result === 'miss'),
  'plots: 429': responsesPerSecond(({ status }) => status === 429),
  'plots: 5xx': responsesPerSecond(({ status }) => status >= 500),
  'plots: p50': responseTime(0.5, 'minute'),
  'plots: p95': responseTime(0.95, 'minute'),
  'plots: p99': responseTime(0.99, 'minute'),
  'plots: ok': readsPerSecond('ok'),
  'plots: status': readsPerSecond('status'),
  'plots: timeout': readsPerSecond('timeout'),
  'plots: other failures': readsPerSecond('shape'),
  'plots: not sent'(_, { minute, notSent }) {
    const [early, late] = minute.from;
    const total = notSent(null);
    return perTime([early === late ? total : 0, total], minute, 1_000);
  },
  'plots: deliveries': requestsPerSecond(({ isDelivery }) => isDelivery),
  'plots: submissions pending': (incident) => exactly(submissionsOf(incident).length),
  'plots: views pending': (incident) => exactly(viewsOf(incident).length),
  'plots: rejected': (incident) => exactly(rejectedOf(incident)),
  'plots: oldest'(incident, { range: { to } }) {
    const made = [...submissionsOf(incident), ...viewsOf(incident)];
    if (made.length === 0) return exactly(0);
    const oldest = Math.min(...made);
    return { least: (to[0] - oldest - EDGE_MS) / 1_000, most: (to[1] - oldest + EDGE_MS) / 1_000 };
  },

  'table: errors'({ upstream }, _, operation) {
    const all = endedOf(upstream, operation);
    const failures = all.filter(({ ended }) => ended.outcome !== 'ok');
    if (failures.length === 0) return '0';
    const kinds = Object.entries(Object.groupBy(failures, ({ ended }) => ended.outcome))
      .sort(([, one = []], [, other = []]) => other.length - one.length)
      .map(([kind, some = []]) => `${some.length} ${kind}`);
    return `${percent(failures.length / all.length)} (${kinds.join(', ')})`;
  },
  'table: not sent': (_, { notSent, isFull }, operation) => ({
    ...exactly(notSent(operation)),
    mayBeUnknown: isFull,
  }),
  'table: p95'(incident, { range }, operation) {
    const requests = incident.upstream.filter((request) => request.operation === operation);
    return quantileOf(
      0.95,
      upstreamDurations(requests, incident),
      range,
      boundsOf('upstream_request_duration_seconds', incident),
    );
  },
  'table: calls/min'({ upstream }, { range }, operation) {
    const ended = endedOf(upstream, operation).map((request) => request.ended.at);
    return perTime(countWithin(ended, range), range, MINUTE_MS);
  },
  // The upstream does not see which entry a reader is served: it is no older than the first load.
  'table: age served'({ upstream, responses }, { isFull }, operation) {
    const loads = endedOf(upstream, operation).filter(({ isDelivery }) => !isDelivery);
    const [first] = loads;
    if (first === undefined) return '–';
    const last = Math.max(...responses.map(({ at }) => at));
    const isHit = responses.some(({ path, result }) => path === '/' && result === 'hit');
    const isRead = isHit && operation.startsWith('post.home');
    return { least: 0, most: (last - first.at) / 1_000, mayBeUnknown: isFull || !isRead };
  },
};

const timesOf = (all: readonly { at: number }[]) => all.map(({ at }) => at);

/** Returns the share of some of all responses of the last minute. */
function shareIn({ minute }: Moment, some: readonly { at: number }[], all: readonly { at: number }[]): Range {
  const [part, whole] = [countWithin(timesOf(some), minute), countWithin(timesOf(all), minute)];
  return { least: part[0] / whole[1], most: whole[0] === 0 ? 1 : part[1] / whole[0] };
}

/** What the numbers of the first sentence are. */
const TOLD: readonly [told: RegExp, truth: (incident: Incident, moment: Moment) => Range][] = [
  [
    /([^ ]+ %) stale/,
    ({ responses }, moment) =>
      shareIn(
        moment,
        responses.filter(({ result }) => result === 'stale'),
        responses.filter(({ result }) => result !== null),
      ),
  ],
  [
    /([^ ]+ %) of responses are 5xx/,
    (incident, moment) => {
      const all = notRefused(incident);
      return shareIn(
        moment,
        all.filter(({ status }) => status >= 500),
        all,
      );
    },
  ],
  [
    /([^ ]+ %) of responses take longer/,
    (incident, moment) => {
      const all = responseDurations(incident);
      const { least } = shareIn(
        moment,
        all.filter((one) => one.least > SLOW_SECONDS),
        all,
      );
      const { most } = shareIn(
        moment,
        all.filter((one) => one.most > SLOW_SECONDS),
        all,
      );
      return { least, most };
    },
  ],
  [
    /refused ([^ ]+) requests? with 429/,
    ({ responses }, { minute }) => {
      const refused = responses.filter(({ status }) => status === 429);
      const [least, most] = countWithin(timesOf(refused), minute);
      return { least, most };
    },
  ],
  [/([^ ]+) submissions? waits?/, (incident) => exactly(submissionsOf(incident).length)],
  [/([^ ]+) views? waits?/, (incident) => exactly(viewsOf(incident).length)],
];

/** A number of the page. `operation`: of its row in the table. */
interface Shown {
  key: string;
  operation: string;
  text: string;
}

/** Returns what the page shows at one moment: each number that names a metric, and the time of the newest sample. */
function readPage(
  page: Page,
): Promise<{ asOf: string; sentence: string; shown: Shown[]; titles: Record<string, string> }> {
  return page.evaluate(() => {
    const textOf = (element: Element | null | undefined) => element?.textContent ?? '';
    const titles: Record<string, string> = {};
    const shown: Shown[] = [];
    const places = { numbers: '.numbers-strip [title]', plots: '.legend [title]', table: 'thead [title]' };
    for (const element of document.querySelectorAll('main [title]')) {
      const [place = 'elsewhere'] =
        Object.entries(places).find(([, selector]) => element.matches(selector)) ?? [];
      const key = `${place}: ${textOf(element.querySelector('dt') ?? element)}`;
      titles[key] = element.getAttribute('title') ?? '';
      if (!(element instanceof HTMLTableCellElement)) {
        shown.push({ key, operation: '', text: textOf(element.querySelector('dd')) });
        continue;
      }
      for (const row of element.closest('table')?.tBodies[0]?.rows ?? [])
        shown.push({
          key,
          operation: textOf(row.cells[0]),
          text: textOf(row.cells[element.cellIndex]),
        });
    }
    const [asOf, sentence] = ['.verdict .about', '.verdict [role="status"]'].map((selector) =>
      textOf(document.querySelector(selector)),
    );
    return { asOf: asOf ?? '', sentence: sentence ?? '', shown, titles };
  });
}

/** Compares every number of the overview that names a metric with what upstream, readers and socket have counted. */
export async function expectTrueNumbers(page: Page, incident: Incident): Promise<void> {
  // Deliveries that fail are tried again meanwhile: both sides are read until they are of the same moment.
  await expect(async () => {
    await expectTrueMetrics(incident);
    await expectTrueHistory(incident);
    await expectTruePage(page, incident);
  }).toPass({ timeout: AGREEMENT_MS });
}

async function expectTruePage(page: Page, incident: Incident): Promise<void> {
  const { site } = incident;
  const refusals = await metricOf(site, 'upstream_refusals_total');
  const { at, series } = await callOps(site, 'GET', '/metrics-history');
  const { asOf, sentence, shown, titles } = await readPage(page);
  const [, time] = /As of ([\d:]+) UTC/.exec(asOf) ?? [];
  const newest = Date.parse(`${new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)}T${time}Z`);
  const lastResponse = Math.max(...timesOf(incident.responses));
  expect(newest - EDGE_MS, 'the page is of after the last response').toBeGreaterThan(lastResponse);
  const times = z.array(z.number()).parse(at);
  const [first = 0] = times;
  const to = [newest, newest + 1_000] as const;
  /** The page has the last sample that is at least a minute older than its newest, whose second alone it tells. */
  const oldest = (end: number) => times.findLast((time) => time <= end - MINUTE_MS) ?? first;
  const [early, late] = [oldest(to[0]), oldest(to[1])];
  const moment: Moment = {
    range: { from: [first, first], to },
    // A response around the time of a sample may be before it or after it; before the first one there was none.
    minute: { from: [early, late === first ? late : late + 1], to },
    notSent: (operation) => (operation === null ? refusals.total : refusals.by(`operation="${operation}"`)),
    isFull: series.length === MAX_SERIES,
  };
  const compared = new Set<string>();
  for (const { key, operation, text } of shown) {
    const truth = TRUTHS[key]?.(incident, moment, operation);
    if (truth === undefined) continue;
    compared.add(key);
    const about = `${key} ${operation}: ${text}, not ${JSON.stringify(truth)}`;
    if (typeof truth === 'string') expect(text, about).toBe(truth);
    else for (const part of text.split(' / ')) expect(isWithin(part, truth), about).toBe(true);
  }
  for (const [told, truthOf] of TOLD) {
    const [text, number] = told.exec(sentence) ?? [];
    const truth = truthOf(incident, moment);
    if (number !== undefined)
      expect(isWithin(number, truth), `${text}, not ${JSON.stringify(truth)}`).toBe(true);
  }
  const names = new Set<string>(declarations().map(([name]) => name));
  const forgotten = Object.entries(titles).filter(([key, title]) => {
    const [name = ''] = /^\w+/.exec(title) ?? [];
    return names.has(name) && !compared.has(key);
  });
  expect(
    forgotten,
    'every number that names a metric is compared in tests/e2e/dashboard/true-numbers.ts',
  ).toEqual([]);
  expect([...compared].sort(), 'every number is on the page').toEqual(Object.keys(TRUTHS).sort());
  expect(new Set(shown.map(({ operation }) => operation).filter(Boolean))).toEqual(operationsOf(incident));
}

const UNITS: Readonly<Record<string, number>> = { '%': 0.01, ms: 0.001, min: 60, h: 3_600 };

/** Whether a number as the page writes it may be rounded from one in a range. */
function isWithin(text: string, { least, most, mayBeUnknown = false }: Range): boolean {
  if (text === '–') return mayBeUnknown;
  const parts = [...text.matchAll(/([\d,]+)(?:\.(\d+))? ?([a-z%]*)/g)];
  let [value, step] = [0, 0];
  for (const [, whole = '', decimals = '', unit = ''] of parts) {
    const seconds = UNITS[unit] ?? 1;
    value += Number(`${whole.replaceAll(',', '')}.${decimals || 0}`) * seconds;
    step = seconds / 10 ** decimals.length;
  }
  // In the lowest bucket, or past the highest bound.
  if (text.startsWith('≤')) return least < value;
  if (text.startsWith('>')) return most > value;
  // Zero is never rounded.
  const tolerance = text.startsWith('0') && value === 0 && !text.includes('.') ? 0 : step;
  return value + tolerance >= least && value - tolerance <= most;
}

/** Compares `/metrics` with what the upstream counted and what readers saw. */
async function expectTrueMetrics({ site, upstream, responses }: Incident): Promise<void> {
  expect((await metricOf(site, 'upstream_requests_total')).total).toBe(endedOf(upstream).length);
  const cached = await metricOf(site, 'response_cache_requests_total');
  for (const result of ['hit', 'stale', 'miss', 'error'])
    expect(cached.by(`result="${result}"`), result).toBe(
      responses.filter((response) => response.result === result).length,
    );
  const requests = await metricOf(site, 'http_requests_total');
  for (const [status, some = []] of Object.entries(Object.groupBy(responses, ({ status }) => status)))
    expect(requests.by(`status="${status}"`), status).toBe(some.length);
}

/** Compares the history with what the upstream counted, and with the server's other numbers. */
async function expectTrueHistory(incident: Incident): Promise<void> {
  const { site, upstream } = incident;
  const window = createSampleWindow(await callOps(site, 'GET', '/metrics-history'));
  const sent = window.increaseBy('upstream_request_duration_seconds', 'operation');
  for (const operation of operationsOf(incident))
    expect(sent.get(operation), operation).toBe(endedOf(upstream, operation).length);
  const cache: Record<string, Record<string, number>> = await callOps(site, 'GET', '/cache');
  for (const resource of ['topic', 'home', 'ads']) {
    // Where every operation has failed there are more series than places.
    if (!window.isKnown('cache_requests_total', { resource })) continue;
    expect(window.increase('cache_requests_total', { resource, result: 'ready' }), resource).toBe(
      (cache[resource]?.['hits'] ?? 0) + (cache[resource]?.['staleHits'] ?? 0),
    );
  }
  const { pending, rejected } = await callOps(site, 'GET', '/outbox');
  expect(pending.submissions).toBe(submissionsOf(incident).length);
  expect(rejected).toBe(rejectedOf(incident));
  expect(window.increase('upstream_refusals_total', { operation: '' })).toBe(
    (await metricOf(site, 'upstream_refusals_total')).total,
  );
}

/** Returns the operations that the upstream was asked for. */
function operationsOf({ upstream }: Incident): Set<string> {
  return new Set(endedOf(upstream).map(({ operation }) => operation));
}

/** Returns the series of a counter in `/metrics`: their sum, and that of those with a label. */
export async function metricOf(site: Incident['site'], name: string) {
  const text = await (await fetch(`${site.ops}/metrics`)).text();
  const series = [...text.matchAll(new RegExp(`^${name}(\\{.*\\})? (.+)$`, 'gm'))];
  const sum = (some: typeof series) => some.reduce((total, [, , value]) => total + Number(value), 0);
  return {
    total: sum(series),
    by: (label: string) => sum(series.filter(([, labels = '']) => labels.includes(label))),
  };
}

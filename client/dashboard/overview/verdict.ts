import {
  age,
  bytes,
  clockTime,
  count,
  duration,
  modeLabel,
  percent,
  plural,
  timeAfter,
} from '#client/dashboard/elements/format.ts';
import { quantileText, shareAbove } from '#client/dashboard/samples/quantile.ts';
import type { Choice, SampleWindow } from '#client/dashboard/samples/sample-window.ts';
import {
  ALERT_RULES,
  type Alert,
  isAlarming,
  SLOW_SECONDS,
  severityOf,
  type ThresholdAlert,
} from '#shared/alerts-on-dashboard.ts';
import type { GaugeName, SampledDuration } from '#shared/metric-declarations.ts';
import type { LiveState } from '#shared/models/metrics.ts';
import type { Change, Instance } from '#shared/models/ops/ops-api-types.ts';
import { changeText, startsOf } from './events.ts';
import { isRead, type Operation, operationsOf, reasonOf } from './operations.ts';

/** What the verdict is made of. */
export interface Situation {
  /** The last hour, by ten seconds. */
  window: SampleWindow;
  /** The last six hours, by the minute; null until they have come. */
  long: SampleWindow | null;
  state: LiveState;
  /** Newest first. */
  changes: readonly Change[];
  instances: readonly Instance[];
  isConnected: boolean;
}

/** The condition of an alert, as it is now: what its sentence is filled with. */
interface Condition {
  value?: string;
  what?: string;
  /** Wall milliseconds. */
  since?: number | null;
  /** In place of the rule's. */
  advice?: string;
  inspect?: string | null;
}

export interface Finding {
  alert: Alert;
  severity: 'page' | 'look';
  text: string;
  advice: string;
  /** Page or key that shows it in the cache inspector; null where there is none. */
  inspect: string | null;
}

/** What is so, since when, and what to do. */
export interface Verdict {
  readers: string;
  /** The worst first. */
  findings: readonly Finding[];
  /** What happened, which is no fault. */
  notes: readonly string[];
  advice: string;
}

/** What a condition is measured over, in seconds. Rare calls say too little in a minute. */
const SHORT_SECONDS = 60;
const RARE_SECONDS = 300;
/** What happened this long ago explains what is seen now. */
const NOTED_SECONDS = 600;
/** Views are sent in batches: younger ones are under way. */
const LATE_SECONDS = 5;
const SIX_HOURS_SECONDS = 6 * 3_600;
const MIN_RESPONSES = 20;
const MIN_FAILURES = 2;
export const FIFTHS = (status: string) => status.startsWith('5');

const CAUSES: ReadonlySet<Alert> = new Set([
  'UpstreamErrorRateHigh',
  'UpstreamOperationFailing',
  'UpstreamSlow',
]);
/** From this share on, readers are not served. */
const MOST = 0.5;
const DELIVERY_ADVICE =
  'Nothing is lost: it waits and is sent again, and the reader is told nothing. After 401 or 403 see API_AUTHORIZATION, else tell whoever runs the upstream';
const COLD_ADVICE = 'Tell whoever runs the upstream: what is not cached is a 503 until it is back';

/** Returns the verdict. */
export function verdictOf(situation: Situation): Verdict {
  const findings = findingsOf(situation);
  return {
    readers: readersOf(situation.window, findings),
    findings,
    notes: notesOf(situation, findings),
    advice: adviceOf(findings, recentFailedRead(situation) !== null),
  };
}

/** What the upstream does explains late and failed responses. */
function adviceOf(findings: readonly Finding[], hasFailedReads: boolean): string {
  const cause = findings.find(({ alert }) => CAUSES.has(alert)) ?? findings[0];
  if (!cause) return 'Nothing to do';
  const isOfReads = cause.alert === 'UpstreamErrorRateHigh' || cause.alert === 'UpstreamOperationFailing';
  return isOfReads && hasFailedReads && cause.advice !== DELIVERY_ADVICE ? COLD_ADVICE : cause.advice;
}

function readersOf(window: SampleWindow, findings: readonly Finding[]): string {
  const from = window.indexBefore(SHORT_SECONDS);
  const failed = failedShare(window, from, 1);
  if (failed === null) return 'No reader has asked for anything in the last minute';
  const isTold = findings.some(({ alert }) => alert === 'AvailabilityBurnFast');
  if (failed > MOST)
    return isTold ? 'Most readers get an error' : 'The only response of the last minute was a 5xx';
  const stale = shareOf(window, 'response_cache_requests_total', 'stale', from, 1) ?? 0;
  const parts = [
    stale >= 0.005 && `${percent(stale)} stale`,
    failed > 0 && !isTold && `${percent(failed)} get a 5xx`,
  ];
  return ['Readers are served', ...parts.filter((part) => part !== false)].join(', ');
}

/** Returns the number of responses but for what a limit refused. */
export function responsesOf(window: SampleWindow, from = 0): number {
  return window.increase('http_requests_total', {}, from) - window.increase('http_refusals_total', {}, from);
}

function findingsOf(situation: Situation): Finding[] {
  const measured = new Map(
    alerts().map((alert): [Alert, Condition | null] => [alert, CONDITIONS[alert](situation)]),
  );
  // One operation is what the whole is made of.
  if (measured.get('UpstreamErrorRateHigh'))
    measured.set('UpstreamOperationFailing', deliveriesOf(situation));
  // The next sentence says which operation is slow.
  const late = measured.get('LatencyBurnFast');
  if (late && measured.get('UpstreamSlow')) measured.set('LatencyBurnFast', { ...late, what: '' });
  return [...measured].flatMap(([alert, found]) => {
    if (found === null) return [];
    const { sentence, advice } = ALERT_RULES[alert];
    const since = found.since ? ` since ${clockTime(new Date(found.since))}` : '';
    const text = sentence
      .replace('{value}', found.value ?? '')
      .replace('{what}', found.what ?? '')
      .replace('{since}', since);
    const severity = severityOf(alert);
    return [{ alert, severity, text, advice: found.advice ?? advice, inspect: found.inspect ?? null }];
  });
}

function alerts(): Alert[] {
  return Object.keys(ALERT_RULES).filter((name): name is Alert => name in ALERT_RULES);
}

function notesOf({ window, changes, isConnected }: Situation, findings: readonly Finding[]): string[] {
  const now = window.at.at(-1) ?? 0;
  const from = window.indexBefore(SHORT_SECONDS);
  const isLate = (window.latest('outbox_oldest_message_age_seconds') ?? 0) > LATE_SECONDS;
  const waiting = ['submissions', 'views'].flatMap((kind) => {
    const n = window.latest('outbox_messages', { kind, state: 'pending' }) ?? 0;
    return n > 0 && (isLate || kind === 'submissions')
      ? [`${count(n)} ${n === 1 ? kind.slice(0, -1) : kind} ${n === 1 ? 'waits' : 'wait'}`]
      : [];
  });
  const refused = [...window.increaseBy('http_refusals_total', 'limit', {}, from)].map(
    ([limit, n]) =>
      `The limit of ${limit}s refused ${plural(n, 'request', 'requests')} with 429 in the last minute`,
  );
  const started = (window.latest('process_start_time_seconds') ?? 0) * 1000;
  const hasEarlier = startsOf(window).some((start) => start !== started);
  const restarted =
    now - started < NOTED_SECONDS * 1000
      ? [`The server ${hasEarlier ? 're' : ''}started at ${clockTime(new Date(started))}`]
      : [];
  const hasMode = findings.some(({ alert }) => alert === 'CacheModeLeftOn');
  const [change] = changes.filter(
    ({ at, what }) => now - Date.parse(at) < NOTED_SECONDS * 1000 && !(hasMode && what === 'cache mode'),
  );
  const changed = change ? [`${changeText(change)} at ${clockTime(new Date(change.at))}`] : [];
  return isConnected ? [...waiting, ...refused, ...restarted, ...changed] : [];
}

/** Returns the condition where a value is above the threshold of its alert. */
function above(
  alert: ThresholdAlert,
  value: number | null,
  show: (value: number) => string = percent,
): Condition | null {
  return isAlarming(alert, value) ? { value: show(value) } : null;
}

/** Returns the measure of an alert that compares a gauge; several series are summed up. */
function gauge(
  alert: ThresholdAlert,
  metric: GaugeName,
  show: (value: number) => string = count,
  labels: Readonly<Record<string, string>> = {},
) {
  return ({ window }: Situation) => above(alert, window.latest(metric, labels), show);
}

/** Returns the share of responses with a 5xx status; null for too few. */
export function failedShare(window: SampleWindow, from = 0, least = MIN_RESPONSES): number | null {
  const all = responsesOf(window, from);
  return all < least ? null : window.increase('http_requests_total', { status: FIFTHS }, from) / all;
}

/** Returns the last read with a 5xx status, where it was in the last minute. */
function recentFailedRead({ window, state: { lastFailedRead } }: Situation): LiveState['lastFailedRead'] {
  const from = window.at[window.indexBefore(SHORT_SECONDS)] ?? 0;
  return lastFailedRead !== null && lastFailedRead.at >= from ? lastFailedRead : null;
}

/** Returns the share of background refreshes that failed; null for too few. */
function failedRefreshes(window: SampleWindow, from = 0): number | null {
  return shareOf(window, 'cache_refreshes_total', 'error', from);
}

/** Returns the share of a counter that has a result; null for too few. */
function shareOf(
  window: SampleWindow,
  metric: 'cache_refreshes_total' | 'response_cache_requests_total',
  result: string,
  from = 0,
  least = MIN_RESPONSES,
): number | null {
  const all = window.increase(metric, {}, from);
  return all < least ? null : window.increase(metric, { result }, from) / all;
}

/** Returns the share of responses that took longer than the objective; null for too few. */
export function slowShare(window: SampleWindow, from = 0): number | null {
  const buckets = window.buckets('http_request_duration_seconds', {}, from);
  const all = buckets.reduce((sum, [, n]) => sum + n, 0);
  return all < MIN_RESPONSES ? null : shareAbove(SLOW_SECONDS, buckets);
}

/** Measures over six hours; null before half of them have come. */
function inSixHours({ long }: Situation, share: (window: SampleWindow) => number | null): number | null {
  return long === null || long.seconds() < SIX_HOURS_SECONDS / 2 ? null : share(long);
}

/** The condition of each alert, measured now. Null: it does not hold, or nothing is known of it. */
const CONDITIONS: Readonly<Record<Alert, (situation: Situation) => Condition | null>> = {
  SiteAbsent: ({ isConnected }) => (isConnected ? null : {}),
  AvailabilityBurnFast(situation) {
    const { window } = situation;
    const from = window.indexBefore(SHORT_SECONDS);
    const failed = window.increase('http_requests_total', { status: FIFTHS }, from);
    const found = above('AvailabilityBurnFast', failedShare(window, from, 1));
    if (found === null || failed < MIN_FAILURES) return null;
    const errors = window.steps('http_requests_total', { status: FIFTHS });
    const all = window.steps('http_requests_total');
    const since = sinceShare(window, errors, all, ALERT_RULES.AvailabilityBurnFast.above);
    // A process knows of no read that failed before it started.
    const startedAt = (window.latest('process_start_time_seconds') ?? Number.POSITIVE_INFINITY) * 1000;
    const isKnown = startedAt <= (window.at[from] ?? 0);
    const read = recentFailedRead(situation);
    if (read === null) return { ...found, since, ...(isKnown && { what: ', of form posts alone' }) };
    const { status, route, url } = read;
    return { ...found, since, what: `, such as ${status} on ${route}`, inspect: url };
  },
  OutboxDiskUnusable: ({ window }) => (window.latest('outbox_disk_usable') === 0 ? {} : null),
  OutboxOldestMessage: gauge('OutboxOldestMessage', 'outbox_oldest_message_age_seconds', age),
  OutboxRejected: gauge('OutboxRejected', 'outbox_messages', (n) => plural(n, 'message', 'messages'), {
    state: 'rejected',
  }),
  OutboxPending: gauge('OutboxPending', 'outbox_messages', count, { state: 'pending' }),
  UpstreamContentMissing: gauge('UpstreamContentMissing', 'upstream_content_missing'),
  RefreshQueueLong: gauge('RefreshQueueLong', 'cache_refresh_queue_length'),
  RenderQueueLong: gauge('RenderQueueLong', 'render_queue_length'),
  EventLoopLagHigh({ window }) {
    const upFor = (window.at.at(-1) ?? 0) / 1000 - (window.latest('process_start_time_seconds') ?? 0);
    const lag = window.latest('event_loop_lag_seconds');
    // The lag of the start stays in it for two minutes.
    return upFor < RARE_SECONDS ? null : above('EventLoopLagHigh', lag, duration);
  },
  MemoryHigh: gauge('MemoryHigh', 'process_resident_memory_bytes', bytes),
  LatencyBurnFast(situation) {
    const { window } = situation;
    const found = above('LatencyBurnFast', slowShare(window, window.indexBefore(SHORT_SECONDS)));
    if (found === null) return null;
    const share = ALERT_RULES.LatencyBurnFast.above;
    const since = slowSince(window, 'http_request_duration_seconds', {}, SLOW_SECONDS, share);
    const slowest = slowOperations(situation, SLOW_SECONDS);
    if (slowest === null) return { ...found, since };
    return { ...found, since, what: `, ${slowest.what}`, advice: ALERT_RULES.UpstreamSlow.advice };
  },
  CircuitBreakerOpen({ window }) {
    const open = window.gauge('upstream_circuit_breaker_state', { state: 'open' });
    if ((open.at(-1) ?? 0) === 0) return null;
    return { since: sinceWhen(window, (index) => (open[index] ?? 0) > 0) };
  },
  ArticleBodiesUnstable: ({ window }) =>
    above(
      'ArticleBodiesUnstable',
      window.increase('article_bodies_reduced_total', { reason: 'unstable' }),
      count,
    ),
  UpstreamErrorRateHigh({ window, state }) {
    const reads = operationsOf(window, state, recentFrom(window)).filter(({ operation }) =>
      isRead(operation),
    );
    const total = (of: (one: Operation) => number) => reads.reduce((sum, one) => sum + of(one), 0);
    const failed = total((one) => one.failed);
    if (failed < MIN_FAILURES) return null;
    if (above('UpstreamErrorRateHigh', failed / total((one) => one.sent), percent) === null) return null;
    const { above: share } = ALERT_RULES.UpstreamErrorRateHigh;
    return { ...namesOf(reads), since: failingSince(window, isRead, share) };
  },
  UpstreamOperationFailing: (situation) => deliveriesOf(situation) ?? failingOperations(situation, isRead),
  UpstreamSlow: (situation) => slowOperations(situation, ALERT_RULES.UpstreamSlow.above),
  UpstreamItemsDropped({ window, state }) {
    const [worst] = operationsOf(window, state, window.indexBefore(RARE_SECONDS)).filter(
      ({ droppedItems }) => droppedItems > ALERT_RULES.UpstreamItemsDropped.above,
    );
    if (!worst) return null;
    const { droppedItems, operation, lastDrop } = worst;
    return { what: `${plural(droppedItems, 'item', 'items')} of ${operation}: ${lastDrop?.reason ?? '–'}` };
  },
  CacheModeLeftOn({ window, state: { mode } }) {
    if (mode.mode === 'normal' && mode.ttlFactor === 1) return null;
    const now = new Date(window.at.at(-1) ?? 0);
    const until = mode.endsInSeconds === null ? '' : `, until ${timeAfter(now, mode.endsInSeconds)}`;
    return { what: modeLabel(mode) + until };
  },
  FreshnessBurnFast: ({ window }) =>
    above('FreshnessBurnFast', failedRefreshes(window, window.indexBefore(RARE_SECONDS))),
  StaleRatioHigh: ({ window }) =>
    above(
      'StaleRatioHigh',
      shareOf(window, 'response_cache_requests_total', 'stale', window.indexBefore(RARE_SECONDS)),
    ),
  RedisDown({ window }) {
    const up = window.gauge('redis_up');
    return up.at(-1) === 0 ? { since: sinceWhen(window, (index) => up[index] === 0) } : null;
  },
  CdnPurgesWaiting({ window }) {
    const queue = window.gauge('cdn_purge_queue_length');
    const isStuck = queue.slice(window.indexBefore(RARE_SECONDS)).every((length) => (length ?? 0) > 0);
    return isStuck
      ? above('CdnPurgesWaiting', queue.at(-1) ?? 0, (n) => plural(n, 'purge waits', 'purges wait'))
      : null;
  },
  HitRatioLow({ window, long }) {
    const [now, before] = [hitRatio(window, window.indexBefore(RARE_SECONDS)), long && hitRatio(long, 0)];
    if (now === null || before === null || now >= 0.7 * before) return null;
    return { value: percent(now), what: `in six hours it was ${percent(before)}` };
  },
  InstanceDown({ instances }) {
    const silent = instances.filter(({ state }) => state === 'silent').map(({ name }) => name);
    return silent.length > 0 ? { what: silent.join(', ') } : null;
  },
  InstanceRestarts: ({ window }) => above('InstanceRestarts', startsOf(window).length - 1, count),
  VersionsDiffer: ({ instances }) =>
    new Set(instances.map(({ version, revision, client }) => `${version} ${revision} ${client}`)).size > 1
      ? {}
      : null,
  AvailabilityBurnSlow: (situation) => above('AvailabilityBurnSlow', inSixHours(situation, failedShare)),
  LatencyBurnSlow: (situation) => above('LatencyBurnSlow', inSixHours(situation, slowShare)),
  FreshnessBurnSlow: (situation) => above('FreshnessBurnSlow', inSixHours(situation, failedRefreshes)),
};

/** Deliveries that fail: what readers send waits, unless the upstream has rejected all of it. */
function deliveriesOf(situation: Situation): Condition | null {
  const found = failingOperations(situation, (operation) => !isRead(operation));
  const messages = (state: string) => situation.window.latest('outbox_messages', { state }) ?? 0;
  const isRejected = messages('rejected') > 0 && messages('pending') === 0;
  return found && { ...found, advice: isRejected ? ALERT_RULES.OutboxRejected.advice : DELIVERY_ADVICE };
}

function failingOperations(
  { window, state }: Situation,
  isMeant: (operation: string) => boolean,
): Condition | null {
  const failing = operationsOf(window, state, recentFrom(window)).filter(
    ({ operation, failed, errorRatio }) =>
      isMeant(operation) &&
      failed >= MIN_FAILURES &&
      (errorRatio ?? 0) > ALERT_RULES.UpstreamOperationFailing.above,
  );
  if (failing.length === 0) return null;
  const names = new Set(failing.map(({ operation }) => operation));
  return {
    ...namesOf(failing),
    since: failingSince(
      window,
      (operation) => names.has(operation),
      ALERT_RULES.UpstreamOperationFailing.above,
    ),
  };
}

/** The last minute where enough was sent in it, else five. */
function recentFrom(window: SampleWindow): number {
  const minute = window.indexBefore(SHORT_SECONDS);
  return window.increase('upstream_request_duration_seconds', {}, minute) >= MIN_RESPONSES
    ? minute
    : window.indexBefore(RARE_SECONDS);
}

/** Returns which operations fail: `503 on post.topic and 2 other operations`. */
function namesOf(operations: readonly Operation[]): Pick<Condition, 'what' | 'inspect'> {
  const failing = operations.filter(({ failed }) => failed > 0);
  const [first] = failing;
  if (first === undefined) return {};
  const more = failing.length - 1;
  const others = more > 0 ? ` and ${plural(more, 'other operation', 'other operations')}` : '';
  return { what: reasonOf(first) + others, inspect: first.last?.key ?? null };
}

/** Reads that take longer than some seconds; those that fail are told as such. */
function slowOperations({ window, state }: Situation, seconds: number): Condition | null {
  const [slowest] = operationsOf(window, state, window.indexBefore(RARE_SECONDS))
    .filter(
      ({ p95, operation, errorRatio }) =>
        (p95?.seconds ?? 0) > seconds &&
        isRead(operation) &&
        !isAlarming('UpstreamErrorRateHigh', errorRatio),
    )
    .sort((one, other) => (other.p95?.seconds ?? 0) - (one.p95?.seconds ?? 0));
  if (!slowest) return null;
  const { operation, p95 } = slowest;
  return {
    what: `p95 ${quantileText(p95)} on ${operation}`,
    since: slowSince(window, 'upstream_request_duration_seconds', { operation }, seconds, 1 - 0.95),
  };
}

/** Returns since when more than a share of what a histogram observed was above a bound of its buckets. */
function slowSince(
  window: SampleWindow,
  metric: SampledDuration,
  choice: Choice,
  seconds: number,
  share: number,
): number | null {
  const all = window.steps(metric, choice);
  const slow = window.steps(metric, { ...choice, le: (le) => le === '+Inf' || Number(le) > seconds });
  return sinceShare(window, slow, all, share);
}

/** Returns since when more than a share of what was sent has failed. */
function failingSince(
  window: SampleWindow,
  isMeant: (operation: string) => boolean,
  share: number,
): number | null {
  const failed = window.steps('upstream_requests_total', { operation: isMeant });
  const sent = window.steps('upstream_request_duration_seconds', { operation: isMeant });
  return sinceShare(window, failed, sent, share);
}

type Steps = ReturnType<SampleWindow['steps']>;

/** Returns since when a part is more than a share of the whole: a few before it are what always happens. */
function sinceShare(window: SampleWindow, part: Steps, whole: Steps, share: number): number | null {
  return sinceWhen(window, (index) => (part[index] ?? 0) > share * (whole[index] ?? 0));
}

/** Samples without the condition that do not end it: calls may be minutes apart. */
const MAX_QUIET_SECONDS = 120;

/** Returns the time of the first sample since which a condition has held, but for short pauses; null where it has not. */
function sinceWhen({ at }: SampleWindow, holdsAt: (index: number) => boolean): number | null {
  let since: number | null = null;
  let last = at.at(-1) ?? 0;
  for (let index = at.length - 1; index >= 0; index--) {
    const time = at[index] ?? 0;
    if (holdsAt(index)) {
      since = time;
      last = time;
    } else if (last - time > MAX_QUIET_SECONDS * 1000) break;
  }
  return since;
}

/** Returns the share of responses that were ready, by their Cache-Status; null for too few. */
export function hitRatio(window: SampleWindow, from = 0): number | null {
  const [fresh, stale] = ['hit', 'stale'].map((result) =>
    shareOf(window, 'response_cache_requests_total', result, from),
  );
  return fresh == null || stale == null ? null : fresh + stale;
}

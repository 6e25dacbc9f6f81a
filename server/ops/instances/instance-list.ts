import type { z } from 'zod';
import { quantilesOf } from '#server/ops/metrics-stream/live-metrics.ts';
import type { Buckets } from '#server/ops/metrics-stream/live-totals.ts';
import type { OutboxDepth } from '#server/outbox/message.ts';
import type { Instance, InstanceSum } from '#shared/models/ops/instances-schemas.ts';
import { bucketsOf, InstanceSample } from './instance-sample.ts';

/** An instance as it was found: what it published is not checked yet. */
export interface FoundInstance {
  id: string;
  isOwn: boolean;
  ageMs: number;
  isBehind: boolean;
  sample: unknown;
}

type Row = z.infer<typeof Instance>;

interface Checked extends Omit<FoundInstance, 'sample'> {
  sample: InstanceSample;
}

const NOTHING: OutboxDepth = { submissions: 0, views: 0, rejected: 0, oldestSeconds: 0 };

/**
 * Returns the instances by name, and the sum of those that are not silent. What published no valid sample is left out, and
 * so is a silent instance that a later one of its name has replaced. `silentAfterMs`: without a sample.
 */
export function listInstances(
  found: readonly FoundInstance[],
  silentAfterMs: number,
): { instances: Row[]; sum: z.infer<typeof InstanceSum> } {
  const known = readSamples(found);
  const isSilent = ({ ageMs, isOwn }: Checked) => !isOwn && ageMs > silentAfterMs;
  const live = known.filter((one) => !isSilent(one));
  return {
    instances: known
      .filter((one) => !isSilent(one) || !isReplaced(one, live))
      .map((one) => rowOf(one, isSilent(one)))
      .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id, 'en')),
    sum: sumOf(live.map(({ sample }) => sample)),
  };
}

/** Returns those that have published a valid sample. */
function readSamples(found: readonly FoundInstance[]): Checked[] {
  return found.flatMap(({ sample: published, ...about }) => {
    const sample = InstanceSample.safeParse(published).data;
    return sample ? [{ ...about, sample }] : [];
  });
}

/** Whether a process of the same name has started since an instance published its last sample. */
function isReplaced({ id, ageMs, sample: { name } }: Checked, all: readonly Checked[]): boolean {
  return all.some(
    ({ id: otherId, ageMs: otherAgeMs, sample }) =>
      otherId !== id && sample.name === name && sample.uptimeSeconds * 1000 + otherAgeMs <= ageMs,
  );
}

function rowOf({ id, isOwn, ageMs, isBehind, sample }: Checked, isSilent: boolean): Row {
  const { seconds, requests, requestErrors, served, made, durations: _durations, outbox, ...about } = sample;
  return {
    ...about,
    id,
    isOwn,
    isBehind,
    state: isSilent ? 'silent' : about.state,
    secondsAgo: Math.round(ageMs / 1000),
    uptimeSeconds: Math.round(about.uptimeSeconds),
    requestsPerSecond: seconds > 0 ? requests / seconds : null,
    errorRatio: share(requestErrors, requests),
    hitRatio: share(served - made, served),
    p95Seconds: quantilesOf(bucketsOf(sample))?.p95 ?? null,
    outbox: outbox.local,
  };
}

/** Rates are added up: samples do not cover the same seconds. */
function sumOf(samples: readonly InstanceSample[]): z.infer<typeof InstanceSum> {
  const perSecond = (of: (sample: InstanceSample) => number) =>
    samples.reduce((sum, sample) => sum + (sample.seconds > 0 ? of(sample) / sample.seconds : 0), 0);
  const requests = perSecond((sample) => sample.requests);
  const served = perSecond((sample) => sample.served);
  return {
    instances: samples.length,
    ready: samples.filter(({ state }) => state === 'ready').length,
    requestsPerSecond: requests,
    errorRatio: share(
      perSecond((sample) => sample.requestErrors),
      requests,
    ),
    hitRatio: share(served - perSecond((sample) => sample.made), served),
    p95Seconds: quantilesOf(addBuckets(samples))?.p95 ?? null,
    residentBytes: samples.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    outbox: outboxOf(samples),
  };
}

/** Each instance counts the stream of all once a second: the largest count is no older than that. */
function outboxOf(samples: readonly InstanceSample[]): OutboxDepth {
  const shared = samples.map(({ outbox }) => outbox.shared);
  const local = samples.map(({ outbox }) => outbox.local);
  const total = (of: Exclude<keyof OutboxDepth, 'oldestSeconds'>) =>
    Math.max(...[NOTHING, ...shared].map((depth) => depth[of])) +
    local.reduce((sum, depth) => sum + depth[of], 0);
  return {
    submissions: total('submissions'),
    views: total('views'),
    rejected: total('rejected'),
    oldestSeconds: Math.max(...[NOTHING, ...shared, ...local].map(({ oldestSeconds }) => oldestSeconds)),
  };
}

/** Adds up histograms a second. Of two versions the bounds may differ: a count at a bound is that at the next lower one. */
function addBuckets(samples: readonly InstanceSample[]): Buckets {
  const histograms = samples
    .filter(({ seconds }) => seconds > 0)
    .map((sample) => ({ buckets: Object.entries(bucketsOf(sample)), seconds: sample.seconds }));
  const bounds = new Set(histograms.flatMap(({ buckets }) => buckets.map(([le]) => le)));
  const countAt = (bound: string) =>
    histograms.reduce((sum, { buckets, seconds }) => {
      const within = buckets.filter(([le]) => Number(le) <= Number(bound));
      return sum + Math.max(0, ...within.map(([, count]) => count)) / seconds;
    }, 0);
  return Object.fromEntries([...bounds].map((bound) => [bound, countAt(bound)]));
}

function share(part: number, whole: number): number | null {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : null;
}

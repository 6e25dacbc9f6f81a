import { z } from 'zod';
import type { ReadinessState } from '#server/http/health/readiness.ts';
import { requestsOf } from '#server/ops/metrics-stream/live-metrics.ts';
import type { Buckets, Counted } from '#server/ops/metrics-stream/live-totals.ts';
import type { OutboxDepth } from '#server/outbox/message.ts';
import { MODES } from '#shared/models/cache-modes.ts';

/** Strings and lists are bounded: whoever can write to Redis can write a sample. */
const name = z.string().max(200);
const count = z.number().min(0);
const MAX_BUCKETS = 50;
const STATES = ['starting', 'ready', 'stopping'] as const satisfies readonly ReadinessState[];

const Depth = z.object({
  submissions: count,
  views: count,
  rejected: count,
  oldestSeconds: count,
}) satisfies z.ZodType<OutboxDepth>;

/**
 * What an instance tells the others of itself: counts of its last ten seconds or so, and its state now. A new field must
 * be optional: during a deploy instances of two versions read each other's samples.
 */
export const InstanceSample = z.object({
  name,
  uptimeSeconds: count,
  version: name,
  revision: name,
  client: name,
  state: z.enum(STATES),
  mode: z.object({ mode: z.enum(MODES), ttlFactor: z.number().positive() }),
  /** How long it counted. */
  seconds: count,
  requests: count,
  requestErrors: count,
  /** Responses that the response cache was asked for, and those of them that had to be made. */
  served: count,
  made: count,
  /** Readers' requests by duration: cumulative counts by upper bound; null is the infinite one. */
  durations: z.array(z.tuple([z.number().nullable(), count])).max(MAX_BUCKETS),
  residentBytes: count,
  outbox: z.object({
    /** Of this instance alone. */
    local: Depth,
    /** Of the stream of all instances. */
    shared: Depth,
  }),
});
export type InstanceSample = z.infer<typeof InstanceSample>;

/** What a sample says beside its counts. `outbox.all`: the stream of all instances and what this one has besides. */
export type SampledInstance = Omit<InstanceSample, keyof ReturnType<typeof countsOf> | 'outbox'> & {
  outbox: { all: OutboxDepth; local: OutboxDepth };
};

/** Returns the sample of an instance. */
export function instanceSample(
  counted: Counted,
  { outbox: { all, local }, ...about }: SampledInstance,
): InstanceSample {
  return { ...about, ...countsOf(counted), outbox: { local, shared: without(all, local) } };
}

function countsOf({ readers, responses: { served, made }, seconds }: Counted) {
  const durations = Object.entries(readers.durations).map(([le, count]): [number | null, number] => [
    le === 'Infinity' ? null : Number(le),
    count,
  ]);
  const requests = requestsOf(readers);
  return { seconds, requests, requestErrors: readers.byClass['5xx'], served, made, durations };
}

/** Returns the histogram of a sample as the metrics stream has it. */
export function bucketsOf({ durations }: Pick<InstanceSample, 'durations'>): Buckets {
  return Object.fromEntries(durations.map(([le, of]) => [le ?? Number.POSITIVE_INFINITY, of]));
}

function without(all: OutboxDepth, local: OutboxDepth): OutboxDepth {
  return {
    submissions: Math.max(0, all.submissions - local.submissions),
    views: Math.max(0, all.views - local.views),
    rejected: Math.max(0, all.rejected - local.rejected),
    oldestSeconds: all.oldestSeconds,
  };
}

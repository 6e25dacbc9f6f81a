import { type Quantile, quantile } from '#client/dashboard/samples/quantile.ts';
import type { SampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { sampledBounds } from '#shared/metric-declarations.ts';
import type { LastFailures, LiveState } from '#shared/models/metrics.ts';
import { RESOURCE_TABLE, RESOURCES, type Resource } from '#shared/models/resources-and-policies.ts';

/** What is not here is a delivery. */
const RESOURCES_OF: ReadonlyMap<string, Resource> = new Map(
  RESOURCES.flatMap((resource) => RESOURCE_TABLE[resource].calls.map((call) => [call, resource])),
);

/** Returns the resource that an operation loads; null for a delivery. */
export function resourceOf(operation: string): Resource | null {
  return RESOURCES_OF.get(operation) ?? null;
}

/** Whether an operation reads; else it delivers what readers send. */
export function isRead(operation: string): boolean {
  return resourceOf(operation) !== null;
}

/** An operation of the upstream in some time. */
export interface Operation {
  operation: string;
  /** Null: a delivery. */
  resource: Resource | null;
  sent: number;
  perMinute: number;
  failed: number;
  /** Requests that an open circuit breaker or a full queue refused, in no other number; null where the samples have no place for it. */
  notSent: number | null;
  /** Share of what was sent that failed; null where nothing was. */
  errorRatio: number | null;
  /** Counts by the kind of the failure, the most frequent first. */
  errors: readonly (readonly [kind: string, count: number])[];
  droppedItems: number;
  lastDrop: LastFailures[string] | null;
  p95: Quantile | null;
  /** Mean age of what cached reads of the resource were served, in seconds. */
  servedAgeSeconds: number | null;
  last: LastFailures[string] | null;
}

/** Returns the operations that were sent, or were to be, from a sample on, the worst first. */
export function operationsOf(
  window: SampleWindow,
  { lastFailures: failures, lastDrops: drops, upstreamTimeoutMs }: LiveState,
  from = 0,
): Operation[] {
  const bounds = sampledBounds('upstream_request_duration_seconds', upstreamTimeoutMs);
  const sentBy = window.increaseBy('upstream_request_duration_seconds', 'operation', {}, from);
  const minutes = window.seconds(from) / 60;
  const notSentBy = window.increaseBy('upstream_refusals_total', 'operation', {}, from);
  const notSent = notSentBy.get('') ?? 0;
  notSentBy.delete('');
  const known = [...notSentBy.values()].reduce((sum, count) => sum + count, 0);
  return [...new Set([...sentBy.keys(), ...notSentBy.keys()])]
    .map((operation): Operation => {
      const sent = sentBy.get(operation) ?? 0;
      const resource = resourceOf(operation);
      const outcomes = window.increaseBy('upstream_requests_total', 'outcome', { operation }, from);
      const errors = [...outcomes].sort(([, one], [, other]) => other - one);
      const failed = errors.reduce((sum, [, count]) => sum + count, 0);
      return {
        operation,
        resource,
        sent,
        perMinute: minutes > 0 ? sent / minutes : 0,
        failed,
        notSent: notSentBy.get(operation) ?? (known === notSent ? 0 : null),
        errorRatio: sent > 0 ? failed / sent : null,
        errors,
        droppedItems: window.increase('upstream_dropped_items_total', { operation }, from),
        p95: quantile(0.95, window.buckets('upstream_request_duration_seconds', { operation }, from), bounds),
        servedAgeSeconds: resource === null ? null : servedAge(window, resource, from),
        last: failures[operation] ?? null,
        lastDrop: drops[operation] ?? null,
      };
    })
    .sort(
      (one, other) =>
        other.failed - one.failed ||
        (other.notSent ?? 0) - (one.notSent ?? 0) ||
        other.droppedItems - one.droppedItems ||
        (other.p95?.seconds ?? 0) - (one.p95?.seconds ?? 0) ||
        other.sent - one.sent,
    );
}

/** Returns the mean age of what cached reads of a resource were served, in seconds; null where nothing is known of it. */
export function servedAge(window: SampleWindow, resource: Resource, from = 0): number | null {
  const ready = window.increase('cache_requests_total', { resource, result: 'ready' }, from);
  if (ready < 1 || !window.isKnown('cache_served_age_seconds_total', { resource })) return null;
  return window.increase('cache_served_age_seconds_total', { resource }, from) / ready;
}

/** Returns what an operation failed with last, in words: `503 on post.topic`. */
export function reasonOf({ operation, errors, last }: Operation): string {
  const [kind] = errors[0] ?? [];
  return `${last?.reason ?? kind ?? 'failure'} on ${operation}`;
}

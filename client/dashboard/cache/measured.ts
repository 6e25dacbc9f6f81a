import { resourceOf, servedAge } from '#client/dashboard/overview/operations.ts';
import type { SampleWindow } from '#client/dashboard/samples/sample-window.ts';
import type { Resource } from '#shared/models/resources-and-policies.ts';

/** What was measured of a resource in the window; null where nothing was read. */
export interface Measured {
  hitRatio: number | null;
  meanAgeSeconds: number | null;
  readsPerMinute: number | null;
  callsPerMinute: number | null;
}

/**
 * Returns what was measured of a resource. A ratio is of two series, and null where one of them may have had no place among
 * the samples.
 */
export function measuredOf(window: SampleWindow, resource: Resource): Measured {
  const isKnown = (['ready', 'waited'] as const).every((result) =>
    window.isKnown('cache_requests_total', { resource, result }),
  );
  const ready = window.increase('cache_requests_total', { resource, result: 'ready' });
  const waited = window.increase('cache_requests_total', { resource, result: 'waited' });
  const age = servedAge(window, resource);
  const minutes = Math.max(1, window.seconds()) / 60;
  const sent = window.increase('upstream_request_duration_seconds', {
    operation: (operation) => resourceOf(operation) === resource,
  });
  return {
    hitRatio: isKnown && ready + waited > 0 ? ready / (ready + waited) : null,
    meanAgeSeconds: age === null ? null : Math.round(age),
    readsPerMinute: isKnown ? (ready + waited) / minutes : null,
    callsPerMinute: sent / minutes,
  };
}

import type { LiveMode } from '#shared/models/metrics.ts';

/** Returns what a mode does, in one line. */
export function modeLabel({ mode, ttlFactor }: Pick<LiveMode, 'mode' | 'ttlFactor'>): string {
  if (mode === 'freeze') return 'Frozen: no upstream requests; cached data is served at any age';
  if (mode === 'bypass') return 'Bypassed: every page loads its data from the upstream';
  return ttlFactor === 1 ? 'Normal' : `Stretched: every TTL × ${ttlFactor}`;
}

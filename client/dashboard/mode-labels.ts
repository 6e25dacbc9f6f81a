import type { LiveMode } from '#shared/models/metrics.ts';

/** A mode in one line. */
export function modeLabels({ mode, ttlFactor }: Pick<LiveMode, 'mode' | 'ttlFactor'>): string {
  const stretch = ttlFactor === 1 ? '' : `every ttl times ${ttlFactor}`;
  if (mode === 'freeze') return 'Frozen: nothing is asked for, what is cached is served at any age';
  if (mode === 'bypass') return 'Bypassed: every page asks the upstream';
  return stretch === '' ? 'Normal' : `Stretched: ${stretch}`;
}

import type { ModeChange } from '#server/cache/cache-mode.ts';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import type { Policy, Resource } from '#shared/models/resources-and-policies.ts';
import { now } from './simulated-clock.ts';

/** Short enough for a scenario to reach every state. */
export const POLICIES: Readonly<Record<Resource, Policy>> = {
  ...DEFAULT_POLICIES,
  topic: { ttl: 10, swr: 20, sie: 30 },
  article: { ttl: 40, swr: 0, sie: 400 },
};

/** The jitter makes a ttl up to a tenth longer than its policy (architecture, Laws). */
const JITTER = 1.1;

/** A stale cached page checks its dependencies this often. */
const RECHECK_MS = 50;

/** Maximum age of what one reader is served. */
export interface StalenessBound {
  /** Milliseconds; infinite where the cache was frozen. */
  maxAgeMs(resource: Resource): number;
  /** Called when the reader was served. */
  end(): void;
}

/**
 * Computes, independently of the cache, how old a served value may be under the policies and the mode. For a reader who
 * waits while they change, the widest bound counts.
 */
export function createStalenessBounds() {
  const policies = new Map<Resource, Policy>();
  const openBounds = new Set<Map<Resource, number>>();
  let mode: ModeChange = { mode: 'normal' };
  let ends = Number.NEGATIVE_INFINITY;

  function maxAgeMs(resource: Resource): number {
    const { ttl, swr, sie } = policies.get(resource) ?? POLICIES[resource];
    const inForce = now() < ends + RECHECK_MS;
    if (inForce && mode.mode === 'freeze') return Number.POSITIVE_INFINITY;
    const factor = inForce ? Math.max(1, mode.ttlFactor ?? 1) : 1;
    return (ttl * JITTER * factor + swr + sie) * 1_000 + RECHECK_MS;
  }

  function widen(bound: Map<Resource, number>): void {
    for (const resource of ['topic', 'article'] as const)
      bound.set(resource, Math.max(bound.get(resource) ?? 0, maxAgeMs(resource)));
  }

  return {
    isFrozen: (): boolean => mode.mode === 'freeze' && now() < ends,
    /** Returns the bound of a reader who comes now. */
    begin(): StalenessBound {
      const bound = new Map<Resource, number>();
      openBounds.add(bound);
      widen(bound);
      return {
        maxAgeMs: (resource) => bound.get(resource) ?? 0,
        end: () => void openBounds.delete(bound),
      };
    },
    setPolicy(resource: Resource, policy: Policy | null): void {
      policies.set(resource, policy ?? POLICIES[resource]);
      openBounds.forEach(widen);
    },
    setMode(change: ModeChange): void {
      mode = change;
      ends = now() + (change.forSeconds ?? 0) * 1_000;
      openBounds.forEach(widen);
    },
  };
}

export type StalenessBounds = ReturnType<typeof createStalenessBounds>;

import type { ModeChange } from '#server/cache/cache-mode.ts';
import { DEFAULT_POLICIES, type Policy, type Resource } from '#server/cache/resources.ts';
import { now } from './simulated-clock.ts';

/** Ages short enough that a story goes through all of them. */
export const POLICIES: Readonly<Record<Resource, Policy>> = {
  ...DEFAULT_POLICIES,
  topic: { ttl: 10, swr: 20, sie: 30 },
  article: { ttl: 40, swr: 0, sie: 400 },
};

/** An entry's ttl may be a tenth longer than its policy says (architecture, Laws: TTLs carry jitter). */
const JITTER = 1.1;

/** A finished page is believed this long before its data is looked at again. */
const RECHECK_MS = 50;

/** How old what one reader gets may be at the most. */
export interface StalenessBound {
  /** Milliseconds; without end where the cache was frozen. */
  mostMs(resource: Resource): number;
  /** The reader was served. */
  end(): void;
}

/**
 * Reckons, apart from the cache, how old a copy may be under the policies and the mode in force. A reader who waits
 * while they change is allowed the widest of what was in force meanwhile.
 */
export function createStalenessBounds() {
  const policies = new Map<Resource, Policy>();
  const waiting = new Set<Map<Resource, number>>();
  let mode: ModeChange = { mode: 'normal' };
  let ends = Number.NEGATIVE_INFINITY;

  function most(resource: Resource): number {
    const { ttl, swr, sie } = policies.get(resource) ?? POLICIES[resource];
    const inForce = now() < ends + RECHECK_MS;
    if (inForce && mode.mode === 'freeze') return Number.POSITIVE_INFINITY;
    const factor = inForce ? Math.max(1, mode.ttlFactor ?? 1) : 1;
    return (ttl * JITTER * factor + swr + sie) * 1_000 + RECHECK_MS;
  }

  function widen(allowed: Map<Resource, number>): void {
    for (const resource of ['topic', 'article'] as const)
      allowed.set(resource, Math.max(allowed.get(resource) ?? 0, most(resource)));
  }

  return {
    isFrozen: (): boolean => mode.mode === 'freeze' && now() < ends,
    /** What a reader who comes now is allowed. */
    begin(): StalenessBound {
      const allowed = new Map<Resource, number>();
      waiting.add(allowed);
      widen(allowed);
      return {
        mostMs: (resource) => allowed.get(resource) ?? 0,
        end: () => void waiting.delete(allowed),
      };
    },
    setPolicy(resource: Resource, policy: Policy | null): void {
      policies.set(resource, policy ?? POLICIES[resource]);
      waiting.forEach(widen);
    },
    setMode(change: ModeChange): void {
      mode = change;
      ends = now() + (change.forSeconds ?? 0) * 1_000;
      waiting.forEach(widen);
    },
  };
}

export type StalenessBounds = ReturnType<typeof createStalenessBounds>;

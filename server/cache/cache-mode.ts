import type { Clock } from '#server/time.ts';
import type { ModeName } from '#shared/models/cache-modes.ts';
import type { LiveMode } from '#shared/models/metrics.ts';
import { createEvent } from './cache-events.ts';

/** An operator's override. `ttlFactor` multiplies every ttl. */
export interface ModeChange {
  mode: ModeName;
  ttlFactor?: number | undefined;
  forSeconds?: number | undefined;
}

/** Thrown by a read of a key that is not cached while the cache is frozen. */
export class Frozen extends Error {
  constructor(resource: string) {
    super(`${resource} is not loaded: the cache is frozen`);
    this.name = 'Frozen';
  }
}

const DEFAULT_MODE_SECONDS = 600;

/** Creates a mode that starts as normal. Overrides end without a timer: the clock decides on each call. */
export function createCacheMode(clock: Clock) {
  const change = createEvent<void>();
  let override: { mode: ModeName; ttlFactor: number; endsAt: number } = {
    mode: 'normal',
    ttlFactor: 1,
    endsAt: Number.NEGATIVE_INFINITY,
  };

  const isOverridden = () => clock.monotonic() < override.endsAt;
  const name = (): ModeName => (isOverridden() ? override.mode : 'normal');
  const ttlFactor = () => (isOverridden() ? override.ttlFactor : 1);

  function current(): LiveMode {
    const endsInSeconds = isOverridden() ? Math.ceil((override.endsAt - clock.monotonic()) / 1000) : null;
    return { mode: name(), ttlFactor: ttlFactor(), endsInSeconds };
  }

  return {
    name,
    ttlFactor,
    /** Monotonic milliseconds; negative infinity where no override was set. */
    endsAt: () => override.endsAt,
    current,
    /** Replaces the mode in force: what the change does not name returns to normal. */
    set({ mode, ttlFactor: factor = 1, forSeconds = DEFAULT_MODE_SECONDS }: ModeChange): LiveMode {
      const isOrdinary = mode === 'normal' && factor === 1;
      const endsAt = isOrdinary ? Number.NEGATIVE_INFINITY : clock.monotonic() + forSeconds * 1000;
      override = { mode, ttlFactor: factor, endsAt };
      change.emit();
      return current();
    },
    onChange: change.on,
  };
}

export type CacheMode = ReturnType<typeof createCacheMode>;

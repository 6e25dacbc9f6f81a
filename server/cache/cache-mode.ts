import { UpstreamError } from '#server/cms/client/upstream-error.ts';

export const MODES = ['normal', 'freeze', 'bypass'] as const;

/** `freeze`: nothing is loaded, what is cached is served at any age. `bypass`: every read asks the upstream. */
export type ModeName = (typeof MODES)[number];

/** What an operator asks for. `ttlFactor` stretches every ttl. */
export interface ModeChange {
  mode: ModeName;
  ttlFactor?: number | undefined;
  forSeconds?: number | undefined;
}

/** What is in force. `endsInSeconds`: null where nothing ends, because nothing is out of the ordinary. */
export interface ModeInForce {
  mode: ModeName;
  ttlFactor: number;
  endsInSeconds: number | null;
}

/** How the cache works for the time being. Each departure from normal ends by itself, on the clock alone. */
export interface CacheMode {
  name(): ModeName;
  /** What every ttl is multiplied by until `endsAt`. */
  ttlFactor(): number;
  /** Monotonic milliseconds; in the past where nothing is out of the ordinary. */
  endsAt(): number;
  current(): ModeInForce;
  /** Replaces what is in force: what the change does not name is normal again. */
  set(change: ModeChange): ModeInForce;
  onChange(listener: () => void): void;
}

/** What a read rejects with that has no copy while the cache is frozen. To a page it is an upstream that cannot be asked. */
export class Frozen extends UpstreamError {
  constructor(resource: string) {
    super('overloaded', resource, { reason: 'the cache is frozen' });
    this.name = 'Frozen';
  }
}

/** How long a mode holds unless the operator says otherwise. */
const DEFAULT_MODE_SECONDS = 600;

/** A mode that starts as normal. `clock` in monotonic milliseconds. */
export function createCacheMode(clock: () => number): CacheMode {
  const listeners: (() => void)[] = [];
  let named: ModeName = 'normal';
  let factor = 1;
  let end = Number.NEGATIVE_INFINITY;

  const holds = () => clock() < end;
  const name = () => (holds() ? named : 'normal');
  const ttlFactor = () => (holds() ? factor : 1);

  function current(): ModeInForce {
    const endsInSeconds = holds() ? Math.ceil((end - clock()) / 1000) : null;
    return { mode: name(), ttlFactor: ttlFactor(), endsInSeconds };
  }

  return {
    name,
    ttlFactor,
    endsAt: () => end,
    current,
    set({ mode, ttlFactor: stretch = 1, forSeconds = DEFAULT_MODE_SECONDS }) {
      const ordinary = mode === 'normal' && stretch === 1;
      named = mode;
      factor = stretch;
      end = ordinary ? Number.NEGATIVE_INFINITY : clock() + forSeconds * 1000;
      for (const listener of listeners) listener();
      return current();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

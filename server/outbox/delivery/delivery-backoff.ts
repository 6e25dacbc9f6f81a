import type { OutboxKind } from '#server/outbox/message.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 300_000;

interface Backoff {
  failures: number;
  /** Monotonic milliseconds. */
  until: number;
  /** Counts backoffs: the end of an attempt from before the last one says nothing about now. */
  period: number;
}

export interface DeliveryBackoffOptions {
  random: () => number;
  monotonic: () => number;
}

/** Keeps the retry backoff of each kind of message: exponential, with jitter, from a second to five minutes. */
export function createDeliveryBackoff({ random, monotonic }: DeliveryBackoffOptions) {
  const backoffs = new Map<OutboxKind, Backoff>();

  function backoffOf(kind: OutboxKind): Backoff {
    const backoff = backoffs.get(kind) ?? { failures: 0, until: Number.NEGATIVE_INFINITY, period: 0 };
    backoffs.set(kind, backoff);
    return backoff;
  }

  return {
    backoffOf,
    /** Begins the next backoff of a kind. Returns its milliseconds. */
    backOff(kind: OutboxKind): number {
      const backoff = backoffOf(kind);
      const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** backoff.failures);
      // Jitter on the upper half: servers that failed together do not come back together.
      const ms = longest * (0.5 + random() / 2);
      backoff.failures++;
      backoff.period++;
      backoff.until = monotonic() + ms;
      return ms;
    },
    /** Ends a backoff, if there is one. */
    endBackoff(kind: OutboxKind): void {
      const backoff = backoffOf(kind);
      if (backoff.failures === 0) return;
      backoff.failures = 0;
      backoff.until = Number.NEGATIVE_INFINITY;
      backoff.period++;
    },
  };
}

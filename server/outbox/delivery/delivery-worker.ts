import type { Message, Next, OutboxKind } from '#server/outbox/message.ts';
import type { After } from '#server/outbox/outbox-clock.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 300_000;
/** After so many failed attempts the message itself may be what the upstream fails on. */
const SUSPECT_ATTEMPTS = 3;

interface Backoff {
  failures: number;
  /** Monotonic milliseconds. */
  until: number;
}

const NO_BACKOFF: Backoff = { failures: 0, until: Number.NEGATIVE_INFINITY };

export interface DeliveryWorkerOptions {
  /** Kinds that share the concurrency limit and the rate. */
  kinds: readonly OutboxKind[];
  /** Messages in flight at most. */
  concurrency: number;
  /** Milliseconds between two messages. Read after each; idle time saves none up. */
  intervalMs: () => number;
  /** Messages that a stop may still send. */
  atStop: number;
  /** Returns the next message that is neither in flight nor `suspect`, which does not hold up others of its sender. May reject. */
  next(kind: OutboxKind, inFlight: ReadonlySet<Message>, suspect?: Message): Promise<Next>;
  /** Delivers one message; true when it is no longer pending. */
  attempt(message: Message): Promise<boolean>;
  random: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  after: After;
  onError: (error: unknown, kind: OutboxKind) => void;
}

/**
 * Delivers pending messages with bounded concurrency at a steady rate, the kinds in turn. After a failure its kind
 * backs off, longer each time (exponential, with jitter), then one message alone probes the upstream. A message that
 * keeps failing while another of its kind is delivered moves to the back, so that it blocks nobody.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions) {
  const { concurrency, intervalMs, atStop, next, attempt, random, monotonic, after, onError } = options;
  const inFlight = new Set<Message>();
  const deliveries = new Set<Promise<void>>();
  const backoffs = new Map<OutboxKind, Backoff>();
  let kinds = options.kinds;
  /** When the next message may be sent, in monotonic milliseconds. */
  let nextTurnAt = Number.NEGATIVE_INFINITY;
  let filling: Promise<void> = Promise.resolve();
  let planned: { at: number; cancel: () => void } | null = null;
  let isStopped = false;

  function wakeAfter(ms: number): void {
    const at = monotonic() + ms;
    if (isStopped || (planned && planned.at <= at)) return;
    planned?.cancel();
    // Rounded up: a timer that comes before its time would find nothing to do.
    const cancel = after(Math.ceil(ms), () => {
      planned = null;
      filling = filling.then(fill);
    });
    planned = { at, cancel };
  }

  const backoffOf = (kind: OutboxKind) => backoffs.get(kind) ?? NO_BACKOFF;

  /** Begins the next backoff of a kind. Returns its milliseconds. */
  function backOff(kind: OutboxKind): number {
    const { failures } = backoffOf(kind);
    const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures);
    // Jitter on the upper half: servers that failed together do not come back together.
    const ms = longest * (0.5 + random() / 2);
    backoffs.set(kind, { failures: failures + 1, until: monotonic() + ms });
    return ms;
  }

  /** A new object each time: who holds the last one sees that a backoff began or ended since. */
  function endBackoff(kind: OutboxKind): void {
    if (backoffOf(kind).failures > 0) backoffs.set(kind, { ...NO_BACKOFF });
  }

  const hasInFlight = (kind: OutboxKind) => [...inFlight].some((message) => message.kind === kind);

  async function fill(): Promise<void> {
    while (!isStopped && inFlight.size < concurrency) {
      const wait = nextTurnAt - monotonic();
      if (wait > 0) return wakeAfter(wait);
      const message = await takeNext();
      if (message === null) return;
      nextTurnAt = monotonic() + intervalMs();
      start(message);
    }
  }

  /** Asks each kind that does not back off; plans to ask again where there is nothing to start yet. */
  async function takeNext(): Promise<Message | null> {
    let soonest = Number.POSITIVE_INFINITY;
    for (const kind of kinds) {
      const { failures, until } = backoffOf(kind);
      if (until > monotonic()) soonest = Math.min(soonest, until - monotonic());
      else if (failures === 0 || !hasInFlight(kind)) {
        const found = await nextOf(kind);
        if (found !== null && 'id' in found) {
          kinds = [...kinds.filter((other) => other !== kind), kind];
          return found;
        }
        if (found !== null) soonest = Math.min(soonest, found.waitMs);
      }
    }
    if (soonest < Number.POSITIVE_INFINITY) wakeAfter(soonest);
    return null;
  }

  async function nextOf(kind: OutboxKind): Promise<Next> {
    try {
      return await next(kind, inFlight);
    } catch (error) {
      onError(error, kind);
      return { waitMs: backOff(kind) };
    }
  }

  function start(message: Message): void {
    const { kind } = message;
    const backoff = backoffOf(kind);
    const delivery = tracked(message, () => isDeliveredOrMoved(message))
      .catch((error: unknown) => {
        onError(error, kind);
        return false;
      })
      .then((isDone) => {
        deliveries.delete(delivery);
        // The end of an attempt from before a backoff began or ended says nothing about now.
        if (backoff !== backoffOf(kind)) return;
        if (isDone) endBackoff(kind);
        else backOff(kind);
      })
      .then(() => wakeAfter(0));
    deliveries.add(delivery);
  }

  async function tracked(message: Message, work: () => Promise<boolean>): Promise<boolean> {
    inFlight.add(message);
    return work().finally(() => inFlight.delete(message));
  }

  async function isDeliveredOrMoved(message: Message): Promise<boolean> {
    if (await attempt(message)) return true;
    if (message.attempts < SUSPECT_ATTEMPTS || isStopped) return false;
    const other = await nextBeside(message);
    if (other === null || !(await tracked(other, () => attempt(other)))) return false;
    await message.store.moveToBack(message);
    return true;
  }

  async function nextBeside(suspect: Message): Promise<Message | null> {
    while (!isStopped) {
      const other = await next(suspect.kind, inFlight, suspect);
      if (other === null || 'id' in other) return other;
      await new Promise<void>((resolve) => after(other.waitMs, resolve));
    }
    return null;
  }

  return {
    /** Looks for messages to deliver, but not of a kind that backs off. */
    wake: () => wakeAfter(0),
    /** An attempt outside of the worker failed: backs off, unless it does so already or makes an attempt of its own. */
    failed(kind: OutboxKind): void {
      const isAboutToTry = planned !== null && planned.at <= monotonic();
      if (isAboutToTry || hasInFlight(kind) || backoffOf(kind).until > monotonic()) return;
      backOff(kind);
      wakeAfter(0);
    },
    /** Ends the backoff: the upstream was seen to work, or an operator wants it. */
    resume(kind: OutboxKind): void {
      endBackoff(kind);
      wakeAfter(0);
    },
    /** Waits for what is in flight and sends up to `atStop` more, not throttled, until one fails or `isOver`. */
    async stop(isOver: () => boolean): Promise<void> {
      isStopped = true;
      planned?.cancel();
      await filling;
      await Promise.all(deliveries);
      for (let left = atStop; left > 0 && !isOver(); left--) {
        const message = await takeNext();
        if (message === null) break;
        start(message);
        if (deliveries.size >= concurrency) await Promise.race(deliveries);
      }
      await Promise.all(deliveries);
    },
  };
}

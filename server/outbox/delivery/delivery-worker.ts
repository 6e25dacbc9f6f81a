import type { Message, Next, OutboxKind } from '#server/outbox/message.ts';
import type { After } from '#server/outbox/outbox-clock.ts';
import { createDeliveryBackoff } from './delivery-backoff.ts';
import type { Throttle } from './throttle.ts';

/** After so many failed attempts the message itself may be what the upstream fails on. */
const SUSPECT_ATTEMPTS = 3;

export interface DeliveryWorkerOptions {
  /** Kinds that share the concurrency limit and the throttle. */
  kinds: readonly OutboxKind[];
  /** Messages in flight at most. */
  concurrency: number;
  throttle: Throttle;
  /** Messages that a stop may still send. */
  atStop: number;
  /** Returns the next message that is neither in flight nor `suspect`, which does not hold up others of its sender. May reject. */
  next(kind: OutboxKind, inFlight: ReadonlySet<Message>, suspect?: Message): Promise<Next>;
  /** Delivers one message; true when it is no longer pending. */
  attempt(message: Message): Promise<boolean>;
  random: () => number;
  monotonic: () => number;
  after: After;
  onError: (error: unknown, kind: OutboxKind) => void;
}

/**
 * Delivers pending messages with bounded concurrency at the throttle's rate, the kinds in turn. After a failure its kind
 * backs off, longer each time (exponential, with jitter), then one message alone probes the upstream. A message that
 * keeps failing while another of its kind is delivered moves to the back, so that it blocks nobody.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions) {
  const { concurrency, throttle, atStop, next, attempt, random, monotonic, after, onError } = options;
  const inFlight = new Set<Message>();
  const deliveries = new Set<Promise<void>>();
  const { backoffOf, backOff, endBackoff } = createDeliveryBackoff({ random, monotonic });
  let kinds = options.kinds;
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

  const hasInFlight = (kind: OutboxKind) => [...inFlight].some((message) => message.kind === kind);

  async function fill(): Promise<void> {
    while (!isStopped && inFlight.size < concurrency) {
      const wait = throttle.wait();
      if (wait > 0) return wakeAfter(wait);
      const message = await takeNext();
      if (message === null) return;
      throttle.take();
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
    const { period } = backoffOf(kind);
    const delivery = tracked(message, () => isDeliveredOrMoved(message))
      .catch((error: unknown) => {
        onError(error, kind);
        return false;
      })
      .then((isDone) => {
        deliveries.delete(delivery);
        const backoff = backoffOf(kind);
        if (period !== backoff.period) return;
        if (isDone) backoff.failures = 0;
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

  async function sendRest(kind: OutboxKind, isOver: () => boolean): Promise<void> {
    const sending = new Set<Promise<void>>();
    for (let left = atStop; left > 0 && !isOver() && backoffOf(kind).failures === 0; left--) {
      const message = await next(kind, inFlight);
      if (message === null || !('id' in message)) break;
      const sent = tracked(message, () => attempt(message)).then((isDone) => {
        sending.delete(sent);
        if (!isDone) left = 0;
      });
      sending.add(sent);
      if (sending.size >= concurrency) await Promise.race(sending);
    }
    await Promise.all(sending);
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
    /** Waits for what is in flight and sends `atStop` more, until one fails or `isOver`. */
    async stop(isOver: () => boolean): Promise<void> {
      isStopped = true;
      planned?.cancel();
      await filling;
      await Promise.all(deliveries);
      for (const kind of kinds) await sendRest(kind, isOver).catch((error: unknown) => onError(error, kind));
    },
  };
}

import type { Message, Next } from '#server/outbox/message.ts';
import type { After } from '#server/outbox/outbox-clock.ts';
import type { Throttle } from './throttle.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 300_000;
/** A message that failed this often may itself be what the upstream fails on. */
const SUSPECT_ATTEMPTS = 3;

export interface DeliveryWorkerOptions {
  /** Messages in flight at most. */
  concurrency: number;
  throttle: Throttle;
  /** Messages that a stop may still send. */
  atStop: number;
  /** The next message that is neither in flight nor `suspect`, which does not hold up others of its sender. May reject. */
  next(inFlight: ReadonlySet<Message>, suspect?: Message): Promise<Next>;
  /** Delivers one message; true when it is no longer pending. */
  attempt(message: Message): Promise<boolean>;
  random: () => number;
  monotonic: () => number;
  after: After;
  onError: (error: unknown) => void;
}

export interface DeliveryWorker {
  /** There may be a message to deliver. A worker that backs off goes on waiting. */
  added(): void;
  /** A message that was tried outside of the worker failed: it is tried again after a pause. */
  failed(): void;
  /** The upstream was seen to work, or an operator wants it: the backoff ends. */
  resume(): void;
  /** Waits for what is in flight and sends `atStop` more, until one fails or `isOver`. */
  stop(isOver: () => boolean): Promise<void>;
}

/**
 * Delivers pending messages with bounded concurrency at the throttle's rate. After a failure all of it backs off, longer
 * each time (exponential, with jitter), and one message alone probes the upstream. One that keeps failing while another
 * gets through is set aside, so that it blocks nobody.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { concurrency, throttle, atStop, next, attempt, random, monotonic, after, onError } = options;
  const inFlight = new Set<Message>();
  const deliveries = new Set<Promise<void>>();
  let failures = 0;
  /** Counts backoffs: how an attempt from before the last one ends says nothing about now. */
  let period = 0;
  let hasTurn = false;
  /** Waits for its turn. */
  let held: Message | null = null;
  let filling: Promise<void> | null = null;
  /** Asked to fill while it does. */
  let again = false;
  let planned: { at: number; cancel: () => void } | null = null;
  let stopped = false;

  function plan(ms: number): void {
    if (stopped) return;
    planned?.cancel();
    planned = { at: monotonic() + ms, cancel: after(ms, fillSoon) };
  }

  function fillSoon(): void {
    planned = null;
    again = true;
    filling ??= fill()
      .catch((error: unknown) => {
        onError(error);
        backOff();
      })
      .finally(() => {
        filling = null;
        if (again && !planned) plan(0);
      });
  }

  async function fill(): Promise<void> {
    while (again) {
      again = false;
      while (!stopped && !planned && inFlight.size < (failures > 0 ? 1 : concurrency)) {
        if (held) startInTurn(held);
        else if (!(await takeNext())) break;
      }
    }
  }

  function startInTurn(message: Message): void {
    const wait = hasTurn ? 0 : throttle.take();
    hasTurn = wait > 0;
    if (hasTurn) {
      plan(wait);
      return;
    }
    held = null;
    start(message);
  }

  /** False when there is nothing to start. */
  async function takeNext(): Promise<boolean> {
    const found = await next(inFlight);
    if (found === null) return false;
    if ('id' in found) held = found;
    else if (!planned) plan(found.waitMs);
    return true;
  }

  /** What was taken in hand is left to others: a backoff may last longer than they wait for it. */
  function letGo(): void {
    void held?.store.leave?.(held);
    held = null;
  }

  function start(message: Message): void {
    const began = period;
    const delivery = tracked(message, () => getsThrough(message))
      .then((isThrough) => ended(isThrough, began))
      .catch((error: unknown) => {
        onError(error);
        ended(false, began);
      })
      .then(() => {
        deliveries.delete(delivery);
        if (!planned) plan(0);
      });
    deliveries.add(delivery);
  }

  async function tracked(message: Message, work: () => Promise<boolean>): Promise<boolean> {
    inFlight.add(message);
    return work().finally(() => inFlight.delete(message));
  }

  async function getsThrough(message: Message): Promise<boolean> {
    if (await attempt(message)) return true;
    if (message.attempts < SUSPECT_ATTEMPTS || stopped) return false;
    const other = await nextBeside(message);
    if (other === null || !(await tracked(other, () => attempt(other)))) return false;
    await message.store.setAside(message);
    return true;
  }

  async function nextBeside(suspect: Message): Promise<Message | null> {
    while (!stopped) {
      const other = await next(held ? new Set([...inFlight, held]) : inFlight, suspect);
      if (other === null || 'id' in other) return other;
      await new Promise<void>((resolve) => after(other.waitMs, resolve));
    }
    return null;
  }

  function ended(isThrough: boolean, began: number): void {
    if (began !== period) return;
    if (isThrough) failures = 0;
    else backOff();
  }

  /** With jitter on the upper half: servers that failed together do not come back together. */
  function backOff(): void {
    period++;
    failures++;
    letGo();
    const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
    plan(longest * (0.5 + random() / 2));
  }

  async function sendRest(isOver: () => boolean): Promise<void> {
    const sending = new Set<Promise<void>>();
    for (let left = atStop; left > 0 && !isOver(); left--) {
      const message = await next(inFlight);
      if (message === null || !('id' in message)) break;
      const sent = tracked(message, () => attempt(message)).then((isThrough) => {
        sending.delete(sent);
        if (!isThrough) left = 0;
      });
      sending.add(sent);
      if (sending.size >= concurrency) await Promise.race(sending);
    }
    await Promise.all(sending);
  }

  return {
    added() {
      if (filling) again = true;
      else if (!planned) plan(0);
    },
    failed() {
      if (!planned && inFlight.size === 0) backOff();
    },
    resume() {
      if (failures === 0) return;
      failures = 0;
      period++;
      plan(0);
    },
    async stop(isOver) {
      stopped = true;
      planned?.cancel();
      planned = null;
      await filling;
      letGo();
      await Promise.all(deliveries);
      if (failures > 0) return;
      await sendRest(isOver).catch(onError);
    },
  };
}

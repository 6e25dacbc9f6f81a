import type { After } from './clock.ts';
import type { Throttle } from './throttle.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 300_000;
/** A message that failed this often may itself be what the upstream fails on. */
const SUSPECT_ATTEMPTS = 3;

export interface DeliveryWorkerOptions<Message extends { attempts: number }> {
  /** Messages in flight at most. */
  concurrency: number;
  throttle: Throttle;
  /** Messages that a stop may still send. */
  atStop: number;
  /** The next message that is not in flight; `suspect` does not hold up others of its sender. May throw: the disk may. */
  next(inFlight: ReadonlySet<Message>, suspect?: Message): Message | null;
  /** Delivers one message; true when it is no longer pending. */
  attempt(message: Message): Promise<boolean>;
  /** Puts a message behind all others. */
  setAside(message: Message): void;
  random: () => number;
  monotonic: () => number;
  after: After;
  onError: (error: unknown) => void;
}

export interface DeliveryWorker {
  /** A message was added. A worker that backs off goes on waiting. */
  added(): void;
  /** A message that was tried outside of the worker failed: it is tried again after a pause. */
  failed(): void;
  /** The upstream was seen to work, or an operator wants it: the backoff ends. */
  resume(): void;
  /** Monotonic milliseconds of the next attempt; null where none is planned. */
  dueAt(): number | null;
  /** Waits for what is in flight and sends `atStop` more, until one fails or `isOver`. */
  stop(isOver: () => boolean): Promise<void>;
}

/**
 * Delivers pending messages with bounded concurrency at the throttle's rate. After a failure all of it backs off, longer
 * each time (exponential, with jitter), and one message alone probes the upstream. One that keeps failing while another
 * gets through is set aside, so that it blocks nobody.
 */
export function createDeliveryWorker<Message extends { attempts: number }>(
  options: DeliveryWorkerOptions<Message>,
): DeliveryWorker {
  const { concurrency, throttle, atStop, next, attempt, setAside, random, monotonic, after, onError } =
    options;
  const inFlight = new Set<Message>();
  const deliveries = new Set<Promise<void>>();
  let failures = 0;
  /** Counts backoffs: how an attempt from before the last one ends says nothing about now. */
  let period = 0;
  let hasTurn = false;
  let planned: { at: number; cancel: () => void } | null = null;
  let stopped = false;

  function plan(ms: number): void {
    if (stopped) return;
    planned?.cancel();
    planned = { at: monotonic() + ms, cancel: after(ms, fill) };
  }

  function fill(): void {
    planned = null;
    try {
      while (inFlight.size < (failures > 0 ? 1 : concurrency)) {
        const message = next(inFlight);
        if (message === null) break;
        const wait = hasTurn ? 0 : throttle.take();
        hasTurn = wait > 0;
        if (hasTurn) {
          plan(wait);
          break;
        }
        start(message);
      }
    } catch (error) {
      onError(error);
      backOff();
    }
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
    const other = next(inFlight, message);
    if (other === null || !(await tracked(other, () => attempt(other)))) return false;
    setAside(message);
    return true;
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
    const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
    plan(longest * (0.5 + random() / 2));
  }

  return {
    added() {
      if (!planned) plan(0);
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
    dueAt: () => planned?.at ?? null,
    async stop(isOver) {
      stopped = true;
      planned?.cancel();
      planned = null;
      await Promise.all(deliveries);
      if (failures > 0) return;
      let left = atStop;
      const sendRest = async (): Promise<void> => {
        while (left-- > 0 && !isOver()) {
          const message = next(inFlight);
          if (message === null || !(await tracked(message, () => attempt(message)))) left = 0;
        }
      };
      await Promise.all(Array.from({ length: concurrency }, sendRest)).catch(onError);
    },
  };
}

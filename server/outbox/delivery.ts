import type { CmsClient } from '#server/cms/client/cms-client.ts';
import { type CmsCall, cmsCalls } from '#server/cms/cms-calls.ts';
import { isTransientStatus } from '#server/outgoing-requests.ts';
import { type Clock, createLineCounter, MINUTE_MS, pause } from '#server/time.ts';
import type { Tracing } from '#server/tracing/tracing.ts';
import type { OutboxKind } from '#shared/models/outbox-kinds.ts';
import type { Kept, Message, MessageState, Outcome } from './message-types.ts';

/** Sends a message. Resolves with the upstream's status; rejects where there was no response. */
export type Send = (message: Message) => Promise<{ status: number; isHtml: boolean }>;

/** So many failures of a kind in a row open its circuit breaker. */
const FAILURES_UNTIL_OPEN = 5;
/** While it is open, the upstream is tried this often (ms). */
const PROBE_INTERVAL_MS = 5_000;
/** Whoever waits for an open breaker looks again this often (ms). */
const POLL_MS = 500;
/** Ten submissions a second of all kinds together, and two hundred views: an upstream that is back is not run over. */
const INTERVAL_MS = { submissions: 100, views: 5 };
/** Counted failures after which a message is rejected: it is the message that the upstream fails on. */
export const MAX_FAILURES = 20;
const FIRST_BACKOFF_MS = 1_000;
export const MAX_BACKOFF_MS = 60_000;

const CLOSING: Outcome = { state: 'pending', reason: 'the server is stopping', isCounted: false };
const OPEN: Outcome = { state: 'pending', reason: 'the upstream is failing', isCounted: false };

export interface DeliveryOptions {
  send: Send;
  logger: { warn(details: object, message: string): void };
  clock: Clock;
  onDelivery: (kind: OutboxKind, state: MessageState) => void;
  onRecovery: (kind: OutboxKind) => void;
  tracing: Tracing;
}

export type Delivery = ReturnType<typeof createDelivery>;

/**
 * Returns how long a message waits after so many failures in the queue, in milliseconds, with jitter on the upper half.
 * Without jitter for 0: first come, first tried. `random`: 0 to 1.
 */
export function backoffMs(failures: number, random: number): number {
  if (failures === 0) return FIRST_BACKOFF_MS;
  const longest = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures);
  return Math.round(longest * (0.5 + random / 2));
}

/** Sends over the upstream client, each kind to its own call of specification section 7. */
export function sendTo(client: Pick<CmsClient, 'post'>, optOutPath: string): Send {
  function callOf({ kind, payload }: Message): CmsCall {
    if (kind === 'subscription') return cmsCalls.subscribe;
    if (kind === 'contact') return cmsCalls.contact;
    if (kind === 'opt-out') return cmsCalls.optOut(optOutPath);
    const hasPostId = typeof payload === 'object' && payload !== null && 'postId' in payload;
    return cmsCalls.postCount(hasPostId ? String(payload.postId) : '');
  }

  return (message) => {
    const { call, path } = callOf(message);
    return client.post(path, message.payload, { call, idempotencyKey: message.id });
  };
}

/** Returns what a response means for a message (decisions, Forms and view counting). */
function stateOf(kind: OutboxKind, status: number, isHtml: boolean): MessageState {
  if (kind === 'view' ? status === 200 : status >= 200 && status <= 299) return 'delivered';
  if (status < 400 || isTransientStatus(status, isHtml)) return 'pending';
  return kind === 'subscription' && status === 404 ? 'already-subscribed' : 'rejected';
}

/**
 * Returns in which state a queue keeps a message after an attempt, or null where it drops it: a view that is rejected is of no
 * use to an operator. `failures`: those that count, the attempt included.
 */
export function stateAfter(kind: OutboxKind, state: MessageState, failures: number): Kept['state'] | null {
  if (state === 'delivered' || state === 'already-subscribed') return null;
  if (state === 'pending' && failures < MAX_FAILURES) return 'pending';
  return kind === 'view' ? null : 'rejected';
}

/**
 * Creates what makes attempts to deliver messages. Each kind has a circuit breaker: after five failures in a row only a
 * probe every few seconds is sent, until one succeeds.
 */
export function createDelivery(options: DeliveryOptions) {
  const { send, logger, clock, onDelivery, onRecovery, tracing } = options;
  const breakers: Record<OutboxKind, ReturnType<typeof createBreaker>> = {
    subscription: createBreaker(clock),
    contact: createBreaker(clock),
    'opt-out': createBreaker(clock),
    view: createBreaker(clock),
  };
  const nextTurnAt = { submissions: Number.NEGATIVE_INFINITY, views: Number.NEGATIVE_INFINITY };
  const countOfLine = createLineCounter(clock, MINUTE_MS);
  /** Of readers who wait for an attempt. */
  const resolvers = new Set<(outcome: Outcome) => void>();
  let isClosing = false;

  async function waitForTurn(kind: OutboxKind): Promise<void> {
    const rate = kind === 'view' ? 'views' : 'submissions';
    const now = clock.monotonic();
    const at = Math.max(now, nextTurnAt[rate]);
    nextTurnAt[rate] = at + INTERVAL_MS[rate];
    if (at > now) await pause(Math.ceil(at - now));
  }

  async function sendOnce(message: Message): Promise<Omit<Outcome, 'isCounted'>> {
    try {
      const { status, isHtml } = await send(message);
      const state = stateOf(message.kind, status, isHtml);
      return { state, reason: state === 'pending' || state === 'rejected' ? `status ${status}` : null };
    } catch (error) {
      return { state: 'pending', reason: error instanceof Error ? error.message : 'no response' };
    }
  }

  function logFailure({ kind, id }: Message, { state, reason }: Omit<Outcome, 'isCounted'>): void {
    const count = countOfLine();
    if (count !== null) logger.warn({ kind, id, reason, state, count }, 'messages could not be delivered');
  }

  /** Makes an attempt, unless the breaker is open. Never rejects. */
  async function attempt(message: Message): Promise<Outcome> {
    const { kind } = message;
    const breaker = breakers[kind];
    if (!breaker.isReady()) return OPEN;
    const isCounted = breaker.begin();
    const outcome = await sendOnce(message);
    const hasClosed = breaker.end(outcome.state === 'pending', !isCounted);
    if (hasClosed) onRecovery(kind);
    onDelivery(kind, outcome.state);
    if (outcome.reason !== null) logFailure(message, outcome);
    return { ...outcome, isCounted };
  }

  /** What a queue does is no part of the request that has added to it. */
  function attemptTraced(message: Message): Promise<Outcome> {
    const deliver = () => attempt(message);
    if (message.traceparent === null)
      return new Promise((resolve) => tracing.outside(() => resolve(deliver())));
    return tracing.later(`outbox deliver ${message.kind}`, message.traceparent, deliver);
  }

  return {
    /** Makes one attempt for a reader who waits; none while the breaker is open. Never rejects. */
    attempt: (message: Message): Promise<Outcome> =>
      new Promise((resolve) => {
        resolvers.add(resolve);
        const attempted = tracing.child(`outbox deliver ${message.kind}`, {}, () => attempt(message));
        void attempted.then(resolve).finally(() => resolvers.delete(resolve));
      }),

    /** Makes one attempt for a view, at the rate of views; none while the breaker is open. Never rejects. */
    async attemptInTurn(message: Message): Promise<Outcome> {
      await waitForTurn(message.kind);
      return isClosing ? CLOSING : attemptTraced(message);
    },

    /** Lets no reader wait any longer: to them their attempts have failed. They go on, and a repeat bears the same key. */
    giveUp(): void {
      for (const resolve of resolvers) resolve(CLOSING);
    },

    /** Makes one attempt for a queue, as soon as rate and breaker allow one. Never rejects. */
    async process(message: Message): Promise<Outcome> {
      const breaker = breakers[message.kind];
      while (!isClosing) {
        if (breaker.isReady()) await waitForTurn(message.kind);
        // Another may have become the probe meanwhile.
        if (isClosing || breaker.isReady()) break;
        await pause(POLL_MS);
      }
      return isClosing ? CLOSING : attemptTraced(message);
    },

    /** Makes no attempt any more, but finishes those that were begun. */
    close(): void {
      isClosing = true;
    },
  };
}

/** A circuit breaker that opens after consecutive failures, and lets one probe pass at a time. */
function createBreaker(clock: Clock) {
  let failures = 0;
  let probeAt = Number.NEGATIVE_INFINITY;
  const isOpen = () => failures >= FAILURES_UNTIL_OPEN;

  return {
    isReady: () => !isOpen() || clock.monotonic() >= probeAt,
    /** To be called with each attempt that passes. Returns whether it is closed: the attempt is no probe. */
    begin(): boolean {
      if (isOpen()) probeAt = Number.POSITIVE_INFINITY;
      return !isOpen();
    },
    /** To be called when an attempt has ended. Returns whether that has closed it. */
    end(hasFailed: boolean, isProbe: boolean): boolean {
      const wasOpen = isOpen();
      failures = hasFailed ? failures + 1 : 0;
      // What began before it opened may end while a probe is under way, and lets no other pass.
      if (isProbe || !wasOpen) probeAt = clock.monotonic() + PROBE_INTERVAL_MS;
      return wasOpen && !hasFailed;
    },
  };
}

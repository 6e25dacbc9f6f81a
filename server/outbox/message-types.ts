import { z } from 'zod';
import { OUTBOX_KINDS, type OutboxKind } from '#shared/models/outbox-kinds.ts';

export type SubmissionKind = Exclude<OutboxKind, 'view'>;

/**
 * What became of a message. `already-subscribed`: the upstream had the address before, which is a result and no failure.
 * `rejected`: the upstream would refuse it again; kept until an operator retries or discards it.
 */
export type MessageState = 'pending' | 'delivered' | 'already-subscribed' | 'rejected';

/** A message to the upstream. */
export interface Message {
  /** Its `Idempotency-Key`: a repeat has the same. */
  id: string;
  kind: OutboxKind;
  /** The body of the upstream call. */
  payload: unknown;
  /** Wall milliseconds. */
  createdAt: number;
  /** W3C `traceparent` of the request that it came with; null where that is not sampled. */
  traceparent: string | null;
}

/** The outcome of an attempt. */
export interface Outcome {
  state: MessageState;
  /** Why it is not delivered; null where it is. Nothing personal. */
  reason: string | null;
  /** Whether the attempt counts towards `MAX_FAILURES`: not while the circuit breaker is open, when all messages fail. */
  isCounted: boolean;
}

/** The outcome of the attempt after which a message is kept. */
export type Kept = Pick<Outcome, 'reason' | 'isCounted'> & { state: 'pending' | 'rejected' };

export const NOT_ATTEMPTED: Kept = { state: 'pending', reason: null, isCounted: false };

/** Wall milliseconds, which become ISO 8601. */
const Time = z.number().transform((ms) => new Date(ms).toISOString());

/** What an operator sees of a message: nothing personal. */
export const OutboxEntry = z.object({
  id: z.string(),
  kind: z.enum(OUTBOX_KINDS),
  state: z.enum(['pending', 'rejected']),
  /** Those that count, the one before it was kept included. */
  attempts: z.number(),
  lastError: z.string().nullable(),
  createdAt: Time,
  /** About: when it is sent next, if nothing else comes before. Null: rejected. */
  nextAttemptAt: Time.nullable(),
});
export type OutboxEntry = z.infer<typeof OutboxEntry>;

/** How many messages of a kind are in a state. */
export const MessageCount = OutboxEntry.pick({ kind: true, state: true }).extend({ n: z.number() });
export type MessageCount = z.infer<typeof MessageCount>;

/** Messages to act on: one, or the rejected ones, of a kind where it is given. */
export interface Which {
  id?: string | undefined;
  kind?: OutboxKind | undefined;
}

/** What a queue needs of the outbox. */
export interface QueueOptions {
  /** Delivers a message, as soon as that may be. Never rejects. */
  process: (message: Message) => Promise<Outcome>;
  /** Returns how long a message waits after so many failures, in milliseconds. */
  backoff: (failures: number) => number;
  /** Wall milliseconds that no step of the clock changes. */
  now: () => number;
  logger: { error(details: object, message: string): void };
}

/**
 * Where messages wait for the upstream, and what delivers them from there: SQLite, or Redis. A message whose attempt fails
 * waits by its own backoff, so that it holds up no other.
 */
export interface MessageQueue {
  /**
   * Adds messages durably. Those that are in it already are not added twice; a rejected one becomes pending. `kept`: what
   * came of the attempt before; what was rejected already is kept for the operator. Default: not attempted. Rejects where
   * they cannot be kept.
   */
  add(messages: readonly Message[], kept?: Kept): Promise<void>;
  /** Counts messages by kind and state, as of the last seconds. */
  counts(): readonly MessageCount[];
  /** Returns the age of the oldest pending message; 0 where there is none. */
  oldestSeconds(): number;
  /** Lists the newest rejected messages, then the oldest pending ones: at most 50 of each kind and state. */
  list(): Promise<OutboxEntry[]>;
  /** Makes the pending messages of a kind due now, where the queue is available: the upstream is back. */
  promote(kind: OutboxKind): Promise<void>;
  /** Makes messages due now; rejected ones become pending, and their attempts are counted anew. Returns how many. */
  retry(which: Which): Promise<number>;
  /** Erases messages, but for one that is being delivered. Returns how many. */
  discard(which: Which): Promise<number>;
  /** Erases rejected messages that are old, or too many. Does nothing while the queue is not available. */
  sweep(): Promise<void>;
  start(): void;
  /** Begins no delivery any more. Still takes messages. */
  pause(): void;
  /** Delivers no more. Waits for what is in flight, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Of one listing, of each kind and state. */
export const MAX_LISTED = 50;
/** Rejected messages are kept this long (ms), and so many of all kinds: beyond them the oldest go of the kind that has most. */
export const REJECTED_KEPT_MS = 30 * 86_400_000;
export const MAX_REJECTED = 1_000;
/** Messages of one kind in flight at once. */
export const MAX_IN_FLIGHT: Record<OutboxKind, number> = {
  subscription: 4,
  contact: 4,
  'opt-out': 4,
  view: 16,
};

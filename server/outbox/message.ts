export const OUTBOX_KINDS = ['subscription', 'contact', 'opt-out', 'view'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];
export type SubmissionKind = Exclude<OutboxKind, 'view'>;

/** Calls back after so many milliseconds, unless the returned function is called before. */
export type After = (ms: number, work: () => void) => () => void;

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
  /** Whether the attempt counts towards those after which a message is rejected: the upstream took others meanwhile. */
  isCounted: boolean;
}

/** What an operator sees of a message: nothing personal. */
export interface OutboxEntry {
  id: string;
  kind: OutboxKind;
  state: 'pending' | 'rejected';
  attempts: number;
  lastError: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601, about: when it is sent next, if nothing else comes before. Null: rejected. */
  nextAttemptAt: string | null;
}

/** How many messages of a kind are in a state. */
export interface MessageCount {
  kind: OutboxKind;
  state: 'pending' | 'rejected';
  n: number;
}

/** Numbers of messages. */
export interface OutboxDepth {
  /** Pending. */
  submissions: number;
  /** Pending, in memory too. */
  views: number;
  rejected: number;
  /** Age of the oldest pending message. */
  oldestSeconds: number;
}

/**
 * Where messages wait for the upstream, and what delivers them from there: SQLite, or Redis. A message whose attempt fails
 * waits by its own backoff, so that it holds up no other.
 */
export interface MessageQueue {
  /** Adds messages durably. Those that are in it already are not added twice; a rejected one becomes pending. Rejects where they cannot be kept. */
  add(messages: readonly Message[]): Promise<void>;
  /** Adds a message that the upstream has rejected, for the operator. */
  addRejected(message: Message, reason: string): Promise<void>;
  /** Counts messages by kind and state, as of the last seconds. */
  counts(): readonly MessageCount[];
  /** Returns the age of the oldest pending message; 0 where there is none. */
  oldestSeconds(): number;
  /** Lists rejected messages before pending ones; at most 500. */
  list(): Promise<OutboxEntry[]>;
  /** Makes messages due now; rejected ones become pending. All of a kind, or all, without an id. Returns how many rejected or pending ones there were. */
  retry(which: { id?: string | undefined; kind?: OutboxKind | undefined }): Promise<number>;
  /** Erases a message. False where none has this id, or it is being delivered. */
  discard(id: string): Promise<boolean>;
  /** Makes messages of a kind due now: the upstream takes them again. */
  promote(kind: OutboxKind): void;
  /** Erases rejected messages that are old, or too many. */
  sweep(): Promise<void>;
  /** Begins to deliver. */
  start(): void;
  /** Begins no delivery any more. Still takes messages. */
  pause(): void;
  /** Delivers no more. Waits for what is in flight, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Of one listing. */
export const MAX_LISTED = 500;
/** Counted failures after which a message is rejected: it is the message that the upstream fails on. */
export const MAX_FAILURES = 20;
/** Rejected messages are kept this long (ms), and so many of all kinds. */
export const REJECTED_KEPT_MS = 30 * 86_400_000;
export const MAX_REJECTED = 1_000;
/** Messages of one kind in flight at once. */
export const MAX_IN_FLIGHT: Record<OutboxKind, number> = {
  subscription: 4,
  contact: 4,
  'opt-out': 4,
  view: 16,
};

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Returns how long a message waits after so many failures in the queue, in milliseconds. `random`: 0 to 1, the jitter on
 * the upper half. Without jitter for 0: first come, first tried.
 */
export function backoffMs(failures: number, random: number): number {
  if (failures === 0) return FIRST_BACKOFF_MS;
  const longest = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures);
  return Math.round(longest * (0.5 + random / 2));
}

/** Timers that do not keep the process alive. */
export const afterSystemTime: After = (ms, work) => {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

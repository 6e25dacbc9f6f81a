import { z } from 'zod';

export const OUTBOX_KINDS = ['subscription', 'contact', 'opt-out', 'view'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];
export type SubmissionKind = Exclude<OutboxKind, 'view'>;

/** States by the words under which SQLite and Redis store them, which earlier versions chose. */
const STATES_AS_STORED = {
  /** To be delivered, now or after a backoff. */
  waiting: 'pending',
  delivered: 'delivered',
  /** The upstream had the subscription before: a result, and no failure. */
  answered: 'already-subscribed',
  /** Dead-lettered: kept until an operator retries it. */
  refused: 'rejected',
} as const;
type StoredState = keyof typeof STATES_AS_STORED;
export type MessageState = (typeof STATES_AS_STORED)[StoredState];

const STORED_STATES = ['waiting', 'delivered', 'answered', 'refused'] as const satisfies StoredState[];

/** Reads a state as it is stored. */
export const State = z.enum(STORED_STATES).transform((stored) => STATES_AS_STORED[stored]);
/** Reads the state of a message that is not completed. */
export const OpenState = z.enum(['waiting', 'refused']).transform((stored) => STATES_AS_STORED[stored]);

/** Returns the word under which a state is stored. */
export function storedState(state: MessageState): StoredState {
  return STORED_STATES.find((stored) => STATES_AS_STORED[stored] === state) ?? 'waiting';
}

/** A message to add. */
export interface NewMessage {
  kind: OutboxKind;
  /** JSON. */
  payload: string;
  idempotencyKey: string;
  /** Wall-clock milliseconds. */
  createdAt: number;
  /** W3C `traceparent` of the request that it came with; null where that is not sampled. */
  traceparent: string | null;
}

/** A message as it was read from its store. */
export interface Message extends NewMessage {
  /** Unique in its store. */
  id: number | string;
  state: MessageState;
  attempts: number;
  /** Whether an earlier attempt may have reached the upstream. */
  uncertain: boolean;
  /** Equal for messages of one sender, which are delivered in order; null where no order is kept. */
  sender: string | null;
  /** Whether another instance has it in flight. */
  isInFlightElsewhere: boolean;
  store: MessageStore;
}

/** The outcome of an attempt. */
export interface AttemptRecord {
  state: MessageState;
  uncertain: boolean;
  error: string | null;
}

/** Where messages are kept: SQLite, or Redis streams. */
export interface MessageStore {
  /** Returns the next message to deliver, none of `inFlight` nor `suspect`, or when to ask again. Throws where it cannot be read. */
  next(kind: OutboxKind, inFlight: ReadonlySet<Message>, suspect?: Message): Next | Promise<Next>;
  /** Returns the first pending submission of the same sender before `message` and after `after`. */
  earlierOf(message: Message, after: Message | null): Message | null | Promise<Message | null>;
  /** Returns the state now: it may have changed since the message was read. */
  stateOf(message: Message): MessageState;
  /** Moves a message behind all others of its kind. It no longer holds up those of its sender. */
  moveToBack(message: Message): void | Promise<void>;
  /** Lets any instance deliver a message that this one has claimed and will not attempt. */
  release?(message: Message): Promise<void>;
  /** Writes the outcome of an attempt. Throws where that cannot be written. */
  record(message: Message, record: AttemptRecord): void | Promise<void>;
  /** Makes a rejected message pending again. Returns the kind of what is pending now, or null where nothing has this id. */
  retry(id: number | string): OutboxKind | null | Promise<OutboxKind | null>;
  /** Lists rejected messages of all kinds before pending ones; at most 500. */
  list(): OutboxEntry[] | Promise<OutboxEntry[]>;
  /** Counts messages by kind and state. */
  counts(): readonly MessageCount[];
  /** Returns the age of the oldest pending message; 0 where there is none. `now`: wall-clock milliseconds. */
  oldestSeconds(now: number): number;
}

export type Next = Message | { waitMs: number } | null;

/** What an operator sees of a message: nothing personal. */
export interface OutboxEntry {
  id: number | string;
  kind: OutboxKind;
  state: 'pending' | 'rejected';
  attempts: number;
  lastError: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** How many messages of a kind are in a state. */
export interface MessageCount {
  kind: OutboxKind;
  state: MessageState;
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

export const OUTBOX_KINDS = ['subscription', 'contact', 'opt-out', 'view'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];
export type SubmissionKind = Exclude<OutboxKind, 'view'>;

/** `waiting` to be delivered; `delivered`; `answered` with a no that is an answer; `refused` for good, kept for the operator. */
export const OUTBOX_STATES = ['waiting', 'delivered', 'answered', 'refused'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** What is put in. */
export interface NewMessage {
  kind: OutboxKind;
  /** JSON. */
  payload: string;
  idempotencyKey: string;
  /** Wall-clock milliseconds. */
  createdAt: number;
}

/** A message that is pending, as whoever delivers it holds it. */
export interface Message extends NewMessage {
  /** In its store. */
  id: number | string;
  state: OutboxState;
  attempts: number;
  /** An earlier attempt may have reached the upstream. */
  uncertain: boolean;
  /** Equal for messages of one sender, whose order is kept; null where there is none to keep. */
  sender: string | null;
  /** Another instance has it in hand at the moment. */
  isElsewhere: boolean;
  store: MessageStore;
}

/** What an attempt leaves behind. */
export interface AttemptRecord {
  state: OutboxState;
  uncertain: boolean;
  error: string | null;
}

/** Where messages are kept: SQLite, or a Redis stream. */
export interface MessageStore {
  /** The next message to deliver, not one of `inFlight` nor `suspect`; or when to ask again. Throws where it cannot be read. */
  next(kind: OutboxKind, inFlight: ReadonlySet<Message>, suspect?: Message): Next | Promise<Next>;
  /** What has become of a message since it was read: a moment may have passed. */
  stateOf(message: Message): OutboxState;
  /** Puts a message behind all others. */
  setAside(message: Message): void | Promise<void>;
  /** A message that was taken in hand is not attempted: others may have it. */
  leave?(message: Message): Promise<void>;
  /** Writes what became of an attempt. Throws where that cannot be written. */
  record(message: Message, record: AttemptRecord): void | Promise<void>;
}

export type Next = Message | { waitMs: number } | null;

/** What an operator sees of a message: nothing personal. */
export interface OutboxEntry {
  id: number | string;
  kind: OutboxKind;
  state: 'waiting' | 'refused';
  attempts: number;
  lastError: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** How many messages of a kind are in a state. */
export interface MessageCount {
  kind: OutboxKind;
  state: OutboxState;
  n: number;
}

/** How much is pending. */
export interface OutboxDepth {
  submissions: number;
  /** On disk and in memory. */
  views: number;
  refused: number;
  /** Age of the oldest that is pending. */
  oldestSeconds: number;
}

import type { OutboxState } from './outbox-row.ts';
import type { SubmissionKind } from './submissions.ts';

/** A submission as instances tell each other of it. */
export interface SharedItem {
  idempotencyKey: string;
  kind: SubmissionKind;
  /** JSON. */
  payload: string;
  /** Wall-clock milliseconds. */
  createdAt: number;
}

/** A view that waits, as instances tell each other of it. */
export interface SharedView {
  /** In the file of the instance that has it; rises from view to view. */
  id: number;
  idempotencyKey: string;
  /** JSON. */
  payload: string;
  /** Wall-clock milliseconds. */
  createdAt: number;
}

/** Views that wait on other instances. As with submissions nothing here is needed, and no method rejects. */
export interface ViewPeers {
  /**
   * Tells the others of views that wait, and which of them no longer do. Resolves to the highest id that they know now,
   * 0 where they know of none; null where nobody could be told.
   */
  share(waiting: readonly SharedView[], gone: readonly number[]): Promise<number | null>;
  /** Takes some of the views that dead instances left, the oldest first: nobody else has them then. */
  adopt(): Promise<SharedView[]>;
  /** The highest id of this instance's own views that others have taken; 0 where they took none. */
  takenUpTo(): Promise<number>;
}

/** `ours`: nobody else has it. `elsewhere`: an instance that lives has taken it over. Or what became of it there. */
export type Fate = 'ours' | 'elsewhere' | Exclude<OutboxState, 'waiting'>;

/**
 * The outboxes of other instances. Nothing here is needed: where nobody can be asked, each answer is what an instance
 * alone would find. No method rejects.
 */
export interface OutboxPeers {
  /** Before a submission is written: null, or the same one that an instance had before, and what became of it. */
  announce(item: SharedItem): Promise<{ idempotencyKey: string; fate: Fate } | null>;
  /** Before a submission is tried again. */
  fateOf(idempotencyKey: string): Promise<Fate>;
  /** What an instance has written without telling the others. */
  hold(items: readonly SharedItem[]): Promise<void>;
  /** A submission has come to an end: nobody else is to deliver it. */
  settled(idempotencyKey: string, state: Exclude<OutboxState, 'waiting'>): Promise<void>;
  /** An operator has a submission tried that was refused for good. */
  again(idempotencyKey: string): Promise<void>;
  /** Shows that this instance lives, takes over what dead ones held, and answers all that this one is answerable for. */
  held(): Promise<SharedItem[]>;
  readonly views: ViewPeers;
  /** This instance stops: others may take over at once what it leaves. */
  leave(): Promise<void>;
}

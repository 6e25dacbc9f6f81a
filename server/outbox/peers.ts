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
  /** This instance stops: others may take over at once what it leaves. */
  leave(): Promise<void>;
}

import { z } from 'zod';

export const OUTBOX_KINDS = ['subscription', 'contact', 'opt-out', 'view'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** `waiting` to be delivered; `delivered`; `answered` with a no that is an answer; `refused` for good, kept for the operator. */
export const OUTBOX_STATES = ['waiting', 'delivered', 'answered', 'refused'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** One item as it stands on disk. */
export const OutboxRow = z.object({
  id: z.number(),
  kind: z.enum(OUTBOX_KINDS),
  state: z.enum(OUTBOX_STATES),
  /** JSON, without the blanks before it; null once delivered: personal data is not kept longer than it is needed. */
  payload: z.string().trim().nullable(),
  idempotency_key: z.string(),
  attempts: z.number(),
  sender: z.string().nullable(),
  /** 1 after an attempt whose outcome is not known. */
  uncertain: z.number(),
  last_error: z.string().nullable(),
  /** Wall-clock milliseconds. */
  created_at: z.number(),
});
export type OutboxRow = z.infer<typeof OutboxRow>;

/** What is listed of an item: nothing personal. */
export const ListedRow = OutboxRow.omit({
  payload: true,
  idempotency_key: true,
  uncertain: true,
  sender: true,
});
export type ListedRow = z.infer<typeof ListedRow>;

/** What is put in. */
export interface NewItem {
  kind: OutboxKind;
  /** JSON. */
  payload: string;
  /** What tells a repeat of the same submission; null where repeats count. */
  digest: string | null;
  /** What tells the sender's other submissions, for their order; null where there is none to keep. */
  sender: string | null;
  idempotencyKey: string;
  /** Wall-clock milliseconds. */
  createdAt: number;
  /** Another instance may have tried it. */
  uncertain?: boolean;
}

/** What an attempt leaves behind. */
export interface AttemptRecord {
  state: OutboxState;
  uncertain: boolean;
  error: string | null;
}

/** How many of a kind are in a state. */
export const OutboxCount = z.object({
  kind: z.enum(OUTBOX_KINDS),
  state: z.enum(OUTBOX_STATES),
  n: z.number(),
});
export type OutboxCount = z.infer<typeof OutboxCount>;

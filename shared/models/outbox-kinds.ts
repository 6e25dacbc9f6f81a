/** Kinds of messages to the upstream. */
export const OUTBOX_KINDS = ['subscription', 'contact', 'opt-out', 'view'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

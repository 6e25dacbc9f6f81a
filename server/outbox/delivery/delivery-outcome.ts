import type { AttemptRecord, OutboxKind } from '#server/outbox/message.ts';

/** Statuses below 500 that say "later" and not "no". */
const LATER = new Set([408, 425, 429]);

/** How an attempt ended: the upstream's status, or no answer at all. */
export type Attempt = { status: number } | { error: string; mayHaveArrived: boolean };

/**
 * What an attempt means (decisions, Forms and view counting). `uncertain`: an earlier attempt of the same item may
 * have reached the upstream, so that its "already subscribed" is our own success.
 */
export function parseSubmissionResult(kind: OutboxKind, attempt: Attempt, uncertain: boolean): AttemptRecord {
  if ('error' in attempt) {
    return { state: 'waiting', uncertain: uncertain || attempt.mayHaveArrived, error: attempt.error };
  }
  const { status } = attempt;
  if (kind === 'subscription' && status === 404)
    return { state: uncertain ? 'delivered' : 'answered', uncertain, error: null };
  if (kind === 'view' ? status === 200 : status >= 200 && status < 300)
    return { state: 'delivered', uncertain, error: null };
  const refused = status >= 400 && status < 500 && !LATER.has(status);
  return { state: refused ? 'refused' : 'waiting', uncertain, error: `status ${status}` };
}

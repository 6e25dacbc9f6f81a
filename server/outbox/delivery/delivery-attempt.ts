import type { CmsClient } from '#server/cms/client/cms-client.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import { type CmsCall, cmsCalls } from '#server/cms/cms-paths.ts';
import type { AttemptRecord, OutboxKind } from '#server/outbox/message.ts';

/** Statuses below 500 after which an attempt is repeated. */
const RETRYABLE = new Set([408, 425, 429]);

/** A message as it is sent. */
export interface OutgoingItem {
  kind: OutboxKind;
  payload: unknown;
  idempotencyKey: string;
}

/** Resolves with the upstream's status; rejects where there was no response. */
export type Deliver = (item: OutgoingItem) => Promise<{ status: number }>;

/** Delivers over the upstream client, each kind to its own call of specification section 7. */
export function deliverTo(client: CmsClient, optOutPath: string): Deliver {
  function callOf({ kind, payload }: OutgoingItem): CmsCall {
    if (kind === 'subscription') return cmsCalls.subscribe;
    if (kind === 'contact') return cmsCalls.contact;
    if (kind === 'opt-out') return cmsCalls.optOut(optOutPath);
    const postId =
      typeof payload === 'object' && payload !== null && 'postId' in payload ? String(payload.postId) : '';
    return cmsCalls.postCount(postId);
  }

  return (item) => {
    const { call, path } = callOf(item);
    return client.post(path, item.payload, { call, idempotencyKey: item.idempotencyKey });
  };
}

/** Makes one attempt and returns its outcome. Never rejects. `uncertain`: an earlier attempt may have reached the upstream. */
export async function attemptDelivery(
  deliver: Deliver,
  item: OutgoingItem,
  uncertain: boolean,
): Promise<AttemptRecord> {
  try {
    const { status } = await deliver(item);
    return outcomeOf(item.kind, status, uncertain);
  } catch (error) {
    return {
      state: 'pending',
      uncertain: uncertain || mayHaveArrived(error),
      error: error instanceof Error ? error.message : 'no response',
    };
  }
}

/**
 * Returns what a status means (decisions, Forms and view counting). After an uncertain attempt "already subscribed" is our
 * own success.
 */
export function outcomeOf(kind: OutboxKind, status: number, uncertain: boolean): AttemptRecord {
  if (kind === 'subscription' && status === 404)
    return { state: uncertain ? 'delivered' : 'already-subscribed', uncertain, error: null };
  if (kind === 'view' ? status === 200 : status >= 200 && status < 300)
    return { state: 'delivered', uncertain, error: null };
  const isRejected = status >= 400 && status < 500 && !RETRYABLE.has(status);
  return { state: isRejected ? 'rejected' : 'pending', uncertain, error: `status ${status}` };
}

/** Only these two are known not to have been sent. */
function mayHaveArrived(error: unknown): boolean {
  return !(error instanceof UpstreamError && (error.kind === 'overloaded' || error.kind === 'breaker-open'));
}

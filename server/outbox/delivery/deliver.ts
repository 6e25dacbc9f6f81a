import type { CmsClient } from '#server/cms/client/cms-client.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import { type CmsCall, cmsCalls } from '#server/cms/cms-paths.ts';
import type { OutboxKind } from '#server/outbox/message.ts';
import type { Attempt } from './delivery-outcome.ts';

/** One item on its way upstream. */
export interface OutgoingItem {
  kind: OutboxKind;
  payload: unknown;
  idempotencyKey: string;
}

/** Resolves with the upstream's status; rejects when there was no answer. */
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

/** Tries once. Never rejects. */
export async function attemptDelivery(deliver: Deliver, item: OutgoingItem): Promise<Attempt> {
  try {
    return await deliver(item);
  } catch (error) {
    return {
      error: error instanceof Error ? error.message : 'no answer',
      mayHaveArrived: mayHaveArrived(error),
    };
  }
}

/** Only these are known not to have left. */
function mayHaveArrived(error: unknown): boolean {
  return !(error instanceof UpstreamError && (error.kind === 'overloaded' || error.kind === 'breaker-open'));
}

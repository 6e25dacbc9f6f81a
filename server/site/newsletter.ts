import { request } from 'undici';
import { createAgent, type ForwardProxies } from '#server/cms/client/proxy-agent.ts';

interface Message {
  kind: string;
  payload: unknown;
  idempotencyKey: string;
}

type Deliver<Item> = (item: Item) => Promise<{ status: number }>;

export interface NewsletterOptions {
  /** Where subscriptions go; null: to the upstream. */
  url: () => string | null;
  /** Value of the `Authorization` header; null for none. */
  authorization: string | null;
  timeoutMs: number;
  proxies: ForwardProxies;
}

/**
 * Returns a delivery that posts subscriptions to the newsletter's provider, as `{"email"}`. Its statuses mean what those of
 * the upstream do, but 409 (there already) is the upstream's 404, and its 404 a wrong address: tried again.
 */
export function deliverToNewsletter<Item extends Message>(
  deliver: Deliver<Item>,
  { url, authorization, timeoutMs, proxies }: NewsletterOptions,
): Deliver<Item> {
  const dispatcher = createAgent({}, proxies);
  return async (item) => {
    const address = url();
    if (item.kind !== 'subscription' || address === null) return deliver(item);
    const { statusCode, body } = await request(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': item.idempotencyKey,
        ...(authorization !== null && { authorization }),
      },
      body: JSON.stringify(item.payload),
      dispatcher,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body.dump();
    return { status: statusCode === 409 ? 404 : statusCode === 404 ? 502 : statusCode };
  };
}

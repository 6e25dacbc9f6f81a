import { request } from 'undici';
import type { Send } from '#server/outbox/delivery.ts';
import { createAgent, type ForwardProxies } from '#server/outgoing-requests.ts';

export interface NewsletterOptions {
  /** Where subscriptions go; null: to the upstream. */
  url: () => string | null;
  authorization: string | null;
  timeoutMs: number;
  proxies: ForwardProxies;
}

/** What statuses of a provider are of the upstream. 409: it has the address already. 404: its URL is wrong, to be tried again. */
const UPSTREAM_STATUS: ReadonlyMap<number, number> = new Map([
  [409, 404],
  [404, 502],
]);

/**
 * Returns a `Send` that posts subscriptions to the newsletter's provider, as `{"email"}`, and leaves all else to `send`. Its
 * other statuses mean what those of the upstream do.
 */
export function sendToNewsletter(
  send: Send,
  { url, authorization, timeoutMs, proxies }: NewsletterOptions,
): Send {
  const dispatcher = createAgent({}, proxies);
  return async (message) => {
    const address = url();
    if (message.kind !== 'subscription' || address === null) return send(message);
    const { statusCode, body } = await request(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': message.id,
        ...(authorization !== null && { authorization }),
      },
      body: JSON.stringify(message.payload),
      dispatcher,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body.dump();
    return { status: UPSTREAM_STATUS.get(statusCode) ?? statusCode, isHtml: false };
  };
}

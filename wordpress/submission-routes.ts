import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { createAgent } from './rest-client.ts';
import type { Kind, Store, Submission } from './submission-and-view-store.ts';

/** Shorter than the site waits for the adapter. */
const TIMEOUT_MS = 2_500;
/** By which the upstream API says that a subscriber is known. */
const ALREADY_SUBSCRIBED = 404;

const Fields = z
  .object({ email: z.string().min(3).max(254) })
  .catchall(z.union([z.string().max(10_000), z.boolean()]));
const PostId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/**
 * The calls that store views, subscriptions, messages and opt-outs, each once by its `Idempotency-Key`. `url`:
 * SUBMISSIONS_URL; null keeps what readers send in the store.
 */
export function submissionRoutes(
  app: FastifyInstance,
  store: Store,
  url: string | null,
  optOutPath: string,
): void {
  const kinds: Record<string, Kind> = {
    '/api/subscribe/add': 'subscription',
    '/api/contact/add': 'contact',
    [optOutPath]: 'opt-out',
  };
  const dispatcher = createAgent({ connections: 4 });
  app.addHook('onClose', () => dispatcher.destroy());

  async function take(kind: Kind, fields: Submission, key: string | null): Promise<number> {
    if (url !== null) return forward(url, { kind, ...fields }, key, dispatcher);
    return store.submit(kind, fields, key) ? 201 : ALREADY_SUBSCRIBED;
  }
  for (const [path, kind] of Object.entries(kinds))
    app.post(path, async (sent, reply) => {
      const { success, data } = Fields.safeParse(sent.body);
      const status = success ? await take(kind, data, keyOf(sent)) : 422;
      return reply.code(status).send({ status: status < 300 });
    });
  app.post<{ Params: { id: string } }>('/api/post/post_count/:id', async (sent, reply) => {
    const { success, data } = PostId.safeParse(sent.params.id);
    if (success) store.view(data, keyOf(sent));
    return reply.code(success ? 200 : 422).send({ status: success });
  });
}

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key.slice(0, 256) : null;
}

async function forward(
  url: string,
  submission: Submission,
  key: string | null,
  dispatcher: Dispatcher,
): Promise<number> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== null && { 'idempotency-key': key }) },
    body: JSON.stringify(submission),
    dispatcher,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await body.dump();
  if (statusCode === 409 && submission['kind'] === 'subscription') return ALREADY_SUBSCRIBED;
  // 404 means something else to the site, and a redirect is no outcome: both are mistakes of the configuration.
  return statusCode === 404 || (statusCode >= 300 && statusCode < 400) ? 502 : statusCode;
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { request } from 'undici';
import { z } from 'zod';
import type { Kind, Store } from './store.ts';

/** Shorter than the site waits for the adapter. */
const TIMEOUT_MS = 2_500;
/** By which the upstream API says that a subscriber is known. */
const ALREADY_SUBSCRIBED = 404;

const Subscription = z.object({ email: z.string().min(3).max(254) });
const name = z.string().max(200);
const Message = Subscription.extend({
  first_name: name,
  last_name: name,
  phone: name,
  message: z.string().max(10_000).default(''),
  opt_in: z.boolean(),
});
const PostId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export interface SubmissionRoutesOptions {
  store: Store;
  /** SUBMISSIONS_URL; null keeps what readers send in the store. */
  url: string | null;
  optOutPath: string;
}

/** The calls that store views, subscriptions, messages and opt-outs, each once by its `Idempotency-Key`. */
export function submissionRoutes(
  app: FastifyInstance,
  { store, url, optOutPath }: SubmissionRoutesOptions,
): void {
  const route = (path: string, kind: Kind, schema: typeof Subscription) =>
    app.post(path, async (sent, reply) => {
      const { success, data } = schema.safeParse(sent.body);
      const key = keyOf(sent);
      const status = !success
        ? 422
        : url === null
          ? keep(kind, data, key)
          : await forward(url, kind, data, key);
      return reply.code(status).send({ status: status < 300 });
    });
  const keep = (kind: Kind, fields: z.infer<typeof Subscription>, key: string | null) =>
    store.submit(kind, fields, key) ? 201 : ALREADY_SUBSCRIBED;
  route('/api/subscribe/add', 'subscription', Subscription);
  route('/api/contact/add', 'contact', Message);
  route(optOutPath, 'opt-out', Message);

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

async function forward(url: string, kind: Kind, fields: object, key: string | null): Promise<number> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== null && { 'idempotency-key': key }) },
    body: JSON.stringify({ kind, ...fields }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await body.dump();
  if (statusCode === 409 && kind === 'subscription') return ALREADY_SUBSCRIBED;
  // 404 means something else to the site, and a redirect is no outcome: both are mistakes of the configuration.
  return statusCode === 404 || (statusCode >= 300 && statusCode < 400) ? 502 : statusCode;
}

const COLUMNS = ['received_at', 'kind', 'first_name', 'last_name', 'email', 'phone', 'message', 'opt_in'];

/** Yields the lines of a CSV file (RFC 4180) of what readers have sent. */
export function* csvLines(submissions: Iterable<Record<string, unknown>>): Generator<string> {
  yield csvLine(COLUMNS);
  for (const submission of submissions)
    yield csvLine(COLUMNS.map((column) => String(submission[column] ?? '')));
}

/** Returns one line. Spreadsheets run cells that begin as formulas do: those get an apostrophe first. */
export function csvLine(cells: readonly string[]): string {
  const harmless = cells.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell));
  return `${harmless.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

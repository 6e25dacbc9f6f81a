import { flushCompileCache } from 'node:module';
import { request } from 'undici';
import { openOutbox } from '#server/outbox/outbox.ts';
import { createStreamOutbox } from '#server/outbox/redis-stream/stream-outbox.ts';
import { connectRedis } from '#server/redis/redis-client.ts';

/** Runs the outbox of one instance in a process of its own. The parent process sends it what to submit. */
const [url = '', dir = '', upstream = ''] = process.argv.slice(2);
/** Longer than an attempt of a live instance takes on a busy machine: only what a dead one had in flight is repeated. */
const IDLE_MS = 5_000;
/** Long: no test depends on how busy its machine is. */
const quiet = { warn: () => undefined, error: () => undefined };

const redis = await connectRedis({
  url,
  logger: quiet,
  clock: () => performance.now(),
});
while (!redis.isUp()) await new Promise((resolve) => setTimeout(resolve, 5));
const outbox = openOutbox({
  dir,
  logger: quiet,
  async deliver({ payload, idempotencyKey }) {
    const headers = { 'idempotency-key': idempotencyKey };
    const { statusCode, body } = await request(upstream, {
      method: 'POST',
      headers,
      body: JSON.stringify(payload),
    });
    await body.dump();
    return { status: statusCode };
  },
  stream: createStreamOutbox({ client: redis, prefix: 'test', idleMs: IDLE_MS }),
});
outbox.start();

process.on('message', async ({ n }: { n: number | null }) => {
  if (n === null) {
    const here = (await outbox.list()).filter(({ id }) => typeof id === 'number').length;
    process.send?.({ here, isUp: redis.isUp() });
    return;
  }
  const told = await outbox.submit('contact', { email: `reader-${n}@example.com` }).catch(() => 'lost');
  process.send?.({ n, told });
});
// Now: an instance that is killed leaves nothing to the next one.
flushCompileCache();
process.send?.({ ready: true });

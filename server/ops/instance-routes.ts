import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { StoredSample } from '#server/redis/instance-samples.ts';
import type { RedisServices } from '#server/redis/redis-services.ts';
import { Instance, InstancesResponse } from '#shared/models/ops/instances-schemas.ts';
import { documented } from './ops-responses.ts';

/** What an instance tells the others of itself. Strings are bounded: whoever can write to Redis can write a sample. */
const InstanceSample = Instance.omit({ id: true, isOwn: true, secondsAgo: true });
type InstanceSample = z.infer<typeof InstanceSample>;

/** Instances write a sample this often (ms). */
const WRITE_INTERVAL_MS = 5_000;
/** An instance without a sample for this long (ms) is silent: it has stopped, hangs, or cannot reach Redis. */
const SILENT_AFTER_MS = 3 * WRITE_INTERVAL_MS;

export interface InstancesRoutesDeps {
  /** Null without REDIS_URL. */
  sharedInstances: RedisServices['instances'] | null;
  about: () => InstanceSample;
  logger: { warn(fields: object, message: string): void };
}

/** Writes a sample of this instance every few seconds, with REDIS_URL, and serves those of all that are on the same Redis. */
export async function instancesRoutes(
  app: FastifyInstance,
  { sharedInstances: shared, about, logger }: InstancesRoutesDeps,
): Promise<void> {
  async function write(): Promise<void> {
    await shared?.write(about()).catch((error: unknown) => {
      logger.warn({ err: error }, 'this instance could not be written to the list');
    });
  }

  const timer = shared && setInterval(() => void write(), WRITE_INTERVAL_MS);
  timer?.unref();
  void write();
  app.addHook('preClose', async () => {
    if (timer) clearInterval(timer);
    await shared?.leave();
  });

  app.get(
    '/instances',
    documented('The instances on the same Redis; without REDIS_URL this one alone', {
      200: InstancesResponse,
    }),
    async (): Promise<z.infer<typeof InstancesResponse>> => {
      await write();
      const own = { id: 'own', isOwn: true, ageMs: 0, sample: about() };
      if (shared === null) return { redis: null, instances: readable([own]) };
      const found = await shared.list();
      return { redis: found === null ? 'down' : 'up', instances: readable(found ?? [own]) };
    },
  );
}

/** Returns the instances with a valid sample, by name. */
function readable(found: readonly StoredSample[]): z.infer<typeof Instance>[] {
  return found
    .flatMap(({ id, isOwn, ageMs, sample }) => {
      const { data } = InstanceSample.safeParse(sample);
      if (!data) return [];
      const state = !isOwn && ageMs > SILENT_AFTER_MS ? ('silent' as const) : data.state;
      return [{ ...data, id, isOwn, state, secondsAgo: Math.round(ageMs / 1000) }];
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id, 'en'));
}

import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { StoredSample } from '#server/redis/instance-samples.ts';
import type { RedisServices } from '#server/redis/redis-services.ts';
import { Instance, type InstanceReach, InstancesResponse } from '#shared/models/ops/instances-schemas.ts';
import { documented } from './ops-responses.ts';

/** What an instance tells the others of itself. Strings are bounded: whoever can write to Redis can write a sample. */
const InstanceSample = Instance.omit({ id: true, isOwn: true, secondsAgo: true });
export type InstanceSample = z.infer<typeof InstanceSample>;

/** What instances share through Redis. */
export type SharedInstances = Pick<RedisServices, 'instances' | 'channel'>;

/** Instances write a sample this often (ms). */
const WRITE_INTERVAL_MS = 5_000;
/** An instance without a sample for this long (ms) is silent: it has stopped, hangs, or cannot reach Redis. */
const SILENT_AFTER_MS = 3 * WRITE_INTERVAL_MS;

export interface InstancesDeps {
  /** Null without REDIS_URL. */
  shared: SharedInstances | null;
  about: () => InstanceSample;
  logger: { warn(fields: object, message: string): void };
}

/** Writes a sample of this instance every few seconds, with REDIS_URL, and reads those of the others when it is asked. */
export function createInstances({ shared, about, logger }: InstancesDeps) {
  async function write(): Promise<void> {
    await shared?.instances.write(about()).catch((error: unknown) => {
      logger.warn({ err: error }, 'this instance could not be written to the list');
    });
  }

  const timer = shared && setInterval(() => void write(), WRITE_INTERVAL_MS);
  timer?.unref();
  void write();

  return {
    /** Resolves with all instances of the site, as far as this one knows. */
    async list(): Promise<z.infer<typeof InstancesResponse>> {
      await write();
      const own = { id: 'own', isOwn: true, ageMs: 0, sample: about() };
      const found = (await shared?.instances.list()) ?? null;
      const redis = shared === null ? null : found === null ? 'down' : 'up';
      return { redis, instances: readable(found ?? [own]) };
    },
    /** Resolves with how many instances have received the last change of this one. Empty without REDIS_URL. */
    async reached(): Promise<{ instances?: InstanceReach }> {
      if (shared === null) return {};
      const received = await shared.channel.received();
      if (received === null) return { instances: { applied: 1, known: null } };
      const known = Math.max((await shared.instances.list())?.length ?? 0, received + 1);
      return { instances: { applied: received + 1, known } };
    },
    /** Publishes no more, and removes this instance from the list. */
    async close(): Promise<void> {
      if (timer) clearInterval(timer);
      await shared?.instances.leave();
    },
  };
}

export type Instances = ReturnType<typeof createInstances>;

/** Serves the instances on the same Redis. */
export async function instancesRoutes(
  app: FastifyInstance,
  { instances }: { instances: Pick<Instances, 'list'> },
): Promise<void> {
  app.get(
    '/instances',
    documented('The instances on the same Redis; without REDIS_URL this one alone', {
      200: InstancesResponse,
    }),
    () => instances.list(),
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

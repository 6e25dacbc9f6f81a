import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { RedisServices } from '#server/redis/redis-services.ts';
import { Instance, type InstanceReach, InstancesResponse } from '#shared/models/ops/instances-schemas.ts';
import { problems } from './ops-responses.ts';

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

/** All instances of the site, as far as this one knows. */
export interface Instances {
  list(): Promise<z.infer<typeof InstancesResponse>>;
  /** Resolves with how many instances have received the last change of this one. Empty without REDIS_URL. */
  reached(): Promise<{ instances?: InstanceReach }>;
  /** Publishes no more, and removes this instance from the list. */
  close(): Promise<void>;
}

/** Writes a sample of this instance every few seconds, with REDIS_URL, and reads those of the others when it is asked. */
export function createInstances({ shared, about, logger }: InstancesDeps): Instances {
  async function write(): Promise<void> {
    await shared?.instances.write(about()).catch((error: unknown) => {
      logger.warn({ err: error }, 'this instance could not be written to the list');
    });
  }

  const timer = shared && setInterval(() => void write(), WRITE_INTERVAL_MS);
  timer?.unref();
  void write();

  return {
    async list() {
      await write();
      const own = { id: 'own', isOwn: true, ageMs: 0, sample: about() };
      const found = (await shared?.instances.list()) ?? null;
      const redis = shared === null ? null : found === null ? 'down' : 'up';
      return { redis, instances: readable(found ?? [own]) };
    },
    async reached() {
      if (shared === null) return {};
      const received = await shared.channel.received();
      if (received === null) return { instances: { applied: 1, known: null, missing: [] } };
      const known = Math.max((await shared.instances.list())?.length ?? 0, received + 1);
      return { instances: { applied: received + 1, known, missing: [] } };
    },
    async close() {
      if (timer) clearInterval(timer);
      await shared?.instances.leave();
    },
  };
}

/** Serves the instances on the same Redis. */
export async function instancesRoutes(
  app: FastifyInstance,
  { instances }: { instances: Pick<Instances, 'list'> },
): Promise<void> {
  app.get(
    '/instances',
    {
      schema: {
        summary: 'The instances on the same Redis; without REDIS_URL this one alone',
        response: { 200: InstancesResponse, ...problems },
      },
    },
    () => instances.list(),
  );
}

/** An instance as it was found: what it wrote is not checked yet. */
interface FoundInstance {
  id: string;
  isOwn: boolean;
  ageMs: number;
  sample: unknown;
}

/** Returns the instances with a valid sample by name, without silent ones that a later process of that name has replaced. */
function readable(found: readonly FoundInstance[]): z.infer<typeof Instance>[] {
  const samples = found.flatMap(({ sample, ...one }) => {
    const { data } = InstanceSample.safeParse(sample);
    return data ? [{ ...one, data }] : [];
  });
  const isReplaced = (of: (typeof samples)[number]) =>
    samples.some(
      ({ id, ageMs, data }) =>
        id !== of.id && data.name === of.data.name && data.uptimeSeconds * 1000 + ageMs <= of.ageMs,
    );
  return samples
    .filter((one) => one.isOwn || one.ageMs <= SILENT_AFTER_MS || !isReplaced(one))
    .map(({ id, isOwn, ageMs, data }) => ({
      ...data,
      id,
      isOwn,
      state: !isOwn && ageMs > SILENT_AFTER_MS ? ('silent' as const) : data.state,
      secondsAgo: Math.round(ageMs / 1000),
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id, 'en'));
}

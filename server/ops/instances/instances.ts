import type { z } from 'zod';
import type { Counted } from '#server/ops/metrics-stream/live-totals.ts';
import type { RedisServices } from '#server/redis/redis-services.ts';
import type { InstanceReach, InstancesResponse } from '#shared/models/ops/instances-schemas.ts';
import { listInstances } from './instance-list.ts';
import { type InstanceSample, instanceSample, type SampledInstance } from './instance-sample.ts';

/** What instances share through Redis. */
export type SharedInstances = Pick<RedisServices, 'instances' | 'channel'>;

/** Instances write a sample this often (ms). */
const WRITE_INTERVAL_MS = 5_000;
/** An instance without a sample for this long (ms) is silent: it has stopped, hangs, or cannot reach Redis. */
const SILENT_AFTER_MS = 3 * WRITE_INTERVAL_MS;

export interface InstancesDeps {
  /** Null without REDIS_URL. */
  shared: SharedInstances | null;
  /** Returns what was counted in the last ten seconds or so. */
  counted: () => Promise<Counted>;
  about: () => SampledInstance;
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

/** Publishes a sample of this instance every few seconds, with REDIS_URL, and reads those of the others when it is asked. */
export function createInstances({ shared, counted, about, logger }: InstancesDeps): Instances {
  async function publish(): Promise<InstanceSample> {
    const sample = instanceSample(await counted(), about());
    await shared?.instances.write(sample);
    return sample;
  }

  function publishSoon(): void {
    // A failure to read metrics must not end the process.
    publish().catch((error: unknown) => logger.warn({ err: error }, 'this instance could not be sampled'));
  }

  const timer = shared && setInterval(publishSoon, WRITE_INTERVAL_MS);
  timer?.unref();
  if (shared) publishSoon();

  return {
    async list() {
      const sample = await publish();
      const stored = (await shared?.instances.list()) ?? null;
      const found = stored?.map((one) => ({ ...one, isBehind: false })) ?? null;
      const own = { id: 'own', isOwn: true, ageMs: 0, isBehind: false, sample };
      const redis = shared === null ? null : found === null ? 'down' : 'up';
      return { redis, ...listInstances(found ?? [own], SILENT_AFTER_MS) };
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

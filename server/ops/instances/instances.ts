import type { z } from 'zod';
import type { Counted } from '#server/ops/metrics-stream/live-totals.ts';
import type { InstanceReach, InstancesResponse } from '#shared/models/ops/instances-schemas.ts';
import { type FoundInstance, listInstances, reachOf } from './instance-list.ts';
import { type InstanceSample, instanceSample, type SampledInstance } from './instance-sample.ts';

/** The registry that instances share. Each method but `leave` resolves with null or false while it is not available. */
export interface SharedRegistry {
  publish(sample: unknown): Promise<boolean>;
  list(): Promise<readonly FoundInstance[] | null>;
  reached(): Promise<{ applied: readonly FoundInstance[]; missing: readonly FoundInstance[] } | null>;
  leave(): Promise<void>;
  publishIntervalMs: number;
  silentAfterMs: number;
}

export interface InstancesDeps {
  /** Null without REDIS_URL. */
  registry: SharedRegistry | null;
  /** Returns what was counted in the last ten seconds or so. */
  counted: () => Promise<Counted>;
  about: () => SampledInstance;
  logger: { warn(fields: object, message: string): void };
}

/** All instances of the site, as far as this one knows. */
export interface Instances {
  list(): Promise<z.infer<typeof InstancesResponse>>;
  /** Resolves with which instances have applied the last change of this one, within a second. Empty without REDIS_URL. */
  reached(): Promise<{ instances?: InstanceReach }>;
  /** Publishes no more, and removes this instance from the list. */
  close(): Promise<void>;
}

/** Publishes a sample of this instance every few seconds, with REDIS_URL, and reads those of the others when it is asked. */
export function createInstances({ registry, counted, about, logger }: InstancesDeps): Instances {
  async function publish(): Promise<InstanceSample> {
    const sample = instanceSample(await counted(), about());
    await registry?.publish(sample);
    return sample;
  }

  function publishSoon(): void {
    // A failure to read metrics must not end the process.
    publish().catch((error: unknown) => logger.warn({ err: error }, 'this instance could not be sampled'));
  }

  const timer = registry && setInterval(publishSoon, registry.publishIntervalMs);
  timer?.unref();
  if (registry) publishSoon();

  return {
    async list() {
      const sample = await publish();
      const found = (await registry?.list()) ?? null;
      const own = { id: 'own', isOwn: true, ageMs: 0, isBehind: false, sample };
      const redis = registry === null ? null : found === null ? 'down' : 'up';
      return { redis, ...listInstances(found ?? [own], registry?.silentAfterMs ?? 0) };
    },
    async reached() {
      if (registry === null) return {};
      const reach = await registry.reached();
      if (reach === null) return { instances: { applied: 1, known: null, missing: [] } };
      const { known, missing } = reachOf(reach.applied, reach.missing);
      return { instances: { applied: known + 1 - missing.length, known: known + 1, missing } };
    },
    async close() {
      if (timer) clearInterval(timer);
      await registry?.leave();
    },
  };
}

import { z } from 'zod';
import { MODES } from '../cache-modes.ts';

const ratio = z.number().nullable();

const Outbox = z.object({
  submissions: z.number().describe('Pending'),
  views: z.number().describe('Pending'),
  rejected: z.number(),
  oldestSeconds: z.number().describe('Age of the oldest pending message'),
});

/** One instance. Rates are of its last ten seconds or so. */
export const Instance = z.object({
  id: z.string().describe('One for each process'),
  name: z.string().describe('Host and port'),
  isOwn: z.boolean().describe('The instance that responds'),
  state: z
    .enum(['starting', 'ready', 'stopping', 'silent'])
    .describe('silent: it has published nothing for 15 seconds'),
  secondsAgo: z.number().describe('Since its last sample, by the clock of Redis'),
  uptimeSeconds: z.number().describe('When it published its last sample'),
  version: z.string(),
  revision: z.string(),
  client: z.string().describe('Identity of the client build'),
  mode: z.object({ mode: z.enum(MODES), ttlFactor: z.number() }),
  isBehind: z.boolean().describe('It has not applied every purge, policy and mode of the others yet'),
  requestsPerSecond: ratio,
  errorRatio: ratio,
  hitRatio: ratio.describe('Of the response cache'),
  p95Seconds: ratio,
  residentBytes: z.number(),
  outbox: Outbox.describe('On its disk and in its memory, without the stream of all instances'),
});

export const InstanceSum = z.object({
  instances: z.number().describe('Those that are not silent'),
  ready: z.number(),
  requestsPerSecond: z.number(),
  errorRatio: ratio,
  hitRatio: ratio,
  p95Seconds: ratio.describe('Of the requests of all instances together'),
  residentBytes: z.number(),
  outbox: Outbox.describe('The stream of all instances, and what each has besides'),
});

export const InstancesResponse = z.object({
  redis: z
    .enum(['up', 'down'])
    .nullable()
    .describe('Null: REDIS_URL is not set. down, null: the others are not known'),
  instances: z.array(Instance),
  sum: InstanceSum,
});

/** In the response to a change, with REDIS_URL. */
export const InstanceReach = z.object({
  applied: z.number().describe('Instances that have applied the change, this one included'),
  known: z.number().nullable().describe('All instances. Null: Redis is down; they apply it when it is back'),
  missing: z.array(z.string()).describe('Names of those that have not applied it within a second'),
});
export type InstanceReach = z.infer<typeof InstanceReach>;

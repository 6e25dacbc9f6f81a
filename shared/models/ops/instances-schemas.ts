import { z } from 'zod';
import { MODES } from '../cache-modes.ts';
import { Policy } from '../policy-schemas.ts';
import { RESOURCES } from '../resources-and-policies.ts';

const name = z.string().max(200);

/** One instance. What it publishes of itself is bounded. */
export const Instance = z.object({
  id: z.string().describe('One for each process'),
  name: name.describe('Host and port'),
  isOwn: z.boolean().describe('The instance that responds'),
  state: z
    .enum(['starting', 'ready', 'stopping', 'silent'])
    .describe('silent: it has published nothing for 15 seconds'),
  secondsAgo: z.number().describe('Since it published itself, by the clock of Redis'),
  version: name,
  revision: name,
  client: name.describe('Identity of the client build'),
  mode: z.object({ mode: z.enum(MODES), ttlFactor: z.number().positive() }),
  policies: z
    .partialRecord(z.enum(RESOURCES), Policy.partial())
    .describe('Policies in force that are not the configured ones'),
});

export const InstancesResponse = z.object({
  redis: z
    .enum(['up', 'down'])
    .nullable()
    .describe('Null: REDIS_URL is not set. down, null: the others are not known'),
  instances: z.array(Instance),
});

import { z } from 'zod';
import { MAX_AGE_SECONDS } from './resources-and-policies.ts';

/** One age of a policy, at most a year. */
export const AGE = z.int().min(0).max(MAX_AGE_SECONDS).describe('Whole seconds');

/** A whole number in a query: nothing, `1e3` and `0x10` are none. */
export const DIGITS = z
  .string()
  .regex(/^\d{1,9}$/, 'A whole number.')
  .transform(Number);

/** A cache policy, in seconds. */
export const Policy = z.object({ ttl: z.number(), swr: z.number(), sie: z.number() });

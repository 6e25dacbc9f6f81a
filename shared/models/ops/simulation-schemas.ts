import { z } from 'zod';
import { AGE, DIGITS, Policy } from '../policy-schemas.ts';
import { RESOURCES } from '../resources-and-policies.ts';

const MAX_CANDIDATES = 50;

const Ttls = z
  .string()
  .max(MAX_CANDIDATES * 9)
  .describe('Seconds, comma-separated')
  .transform((list) => list.split(',').map((ttl) => (/^\d+$/.test(ttl) ? Number(ttl) : Number.NaN)))
  .pipe(z.array(AGE).min(1).max(MAX_CANDIDATES));

export const SimulateQuery = z.strictObject({
  resource: z.string().min(1).max(50),
  ttl: Ttls,
  swr: DIGITS.pipe(AGE).optional().describe('In place of the SWR in force'),
});

const Candidate = z.object({
  ttl: z.number(),
  hitRatio: z.number().nullable().describe('Share of reads that would not have waited for the upstream'),
  upstreamCallsPerMinute: z.number().nullable(),
  meanStalenessSeconds: z.number().nullable().describe('Mean age of what reads would have got'),
  maxStalenessSeconds: z.number().nullable(),
  outdatedRatio: z
    .number()
    .nullable()
    .describe('Share of reads that would have got a value which the upstream had already replaced'),
});

export const SimulateResponse = z.object({
  resource: z.enum(RESOURCES),
  observedSeconds: z.number().describe('How far back the recorded reads go: no longer TTL is tested by them'),
  requests: z.number().describe('Reads in that time'),
  sampleRate: z.number().describe('Share of the keys whose reads are recorded'),
  current: Candidate,
  candidates: z.array(Candidate),
});

export const AdviceQuery = z.strictObject({
  staleSeconds: DIGITS.pipe(AGE)
    .optional()
    .describe('How old at most; without it, no older than under the policy in force'),
});

export const AdviceResponse = z.object({
  observedSeconds: z.number().describe('How far back the recorded reads go: no longer TTL is tested by them'),
  resources: z.array(
    z.object({
      resource: z.enum(RESOURCES),
      policy: Policy,
      advised: Policy,
      current: Candidate,
      expected: Candidate,
    }),
  ),
});

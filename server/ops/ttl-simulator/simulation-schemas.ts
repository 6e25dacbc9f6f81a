import { z } from 'zod';
import { RESOURCES } from '#server/cache/resources.ts';
import { AGE, Policy } from '#server/ops/ops-schemas.ts';

const MOST_CANDIDATES = 50;

const Ttls = z
  .string()
  .max(MOST_CANDIDATES * 9)
  .describe('Seconds, with commas between them')
  .transform((list) => list.split(',').map((ttl) => (/^\d+$/.test(ttl) ? Number(ttl) : Number.NaN)))
  .pipe(z.array(AGE).min(1).max(MOST_CANDIDATES));

export const SimulateQuery = z.strictObject({
  resource: z.string().min(1).max(50),
  ttl: Ttls,
  swr: z.coerce.number().pipe(AGE).optional().describe('In place of the swr in force'),
});

const Candidate = z.object({
  ttl: z.number(),
  hitRatio: z.number().nullable().describe('Share of reads that would not have waited for the upstream'),
  freshRatio: z
    .number()
    .nullable()
    .describe('Share of reads that would have found a copy within its ttl; the other hits are stale'),
  upstreamCallsPerMinute: z.number().nullable(),
  meanStalenessSeconds: z
    .number()
    .nullable()
    .describe('How long before a read the upstream had given what the reader got'),
  maxStalenessSeconds: z.number().nullable(),
  outdatedRatio: z
    .number()
    .nullable()
    .describe('Share of reads that would have got what the upstream had replaced by then'),
});

export const SimulateResponse = z.object({
  resource: z.enum(RESOURCES),
  observedSeconds: z.number().describe('How far back the record goes'),
  requests: z.number().describe('Reads in that time'),
  sampleRate: z.number().describe('Share of the keys, besides the busiest, whose past was kept'),
  current: Candidate,
  candidates: z.array(Candidate),
});

export const AdviceQuery = z.strictObject({
  upstreamCallsPerMinute: z.coerce.number().min(0).max(1e9).optional(),
  staleSeconds: z.coerce.number().pipe(AGE).optional(),
});

export const AdviceResponse = z.object({
  goal: z.object({ upstreamCallsPerMinute: z.number().optional(), staleSeconds: z.number().optional() }),
  reachable: z.boolean(),
  resources: z.array(
    z.object({
      resource: z.enum(RESOURCES),
      policy: Policy,
      advised: Policy,
      current: Candidate,
      expected: Candidate,
    }),
  ),
  total: z.object({ current: z.number().nullable(), expected: z.number().nullable() }),
});

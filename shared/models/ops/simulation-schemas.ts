import { z } from 'zod';
import { AGE, Policy } from '../policy-schemas.ts';
import { RESOURCES } from '../resources.ts';

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
  swr: z.coerce.number().pipe(AGE).optional().describe('In place of the SWR in force'),
});

const Candidate = z.object({
  ttl: z.number(),
  hitRatio: z.number().nullable().describe('Share of reads that would not have waited for the upstream'),
  freshRatio: z
    .number()
    .nullable()
    .describe('Share of reads that would have found a fresh entry; the other hits are stale'),
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
  observedSeconds: z.number().describe('How far back the access history goes'),
  requests: z.number().describe('Reads in that time'),
  sampleRate: z.number().describe('Share of the keys, besides the busiest, whose reads are recorded'),
  current: Candidate,
  candidates: z.array(Candidate),
});

/** Two ages, comma-separated: TTL and SWR. SIE acts during outages alone, which are not simulated. */
const Ages = z
  .string()
  .max(20)
  .regex(/^\d+,\d+$/, 'TTL and SWR in seconds, comma-separated, are needed.')
  .describe('TTL and SWR in seconds, comma-separated')
  .transform((text) => text.split(',').map(Number))
  .pipe(z.tuple([AGE, AGE]))
  .transform(([ttl, swr]) => ({ ttl, swr }));

const minutes = z.coerce
  .number()
  .pipe(z.int().min(1).max(360))
  .default(60)
  .describe('How far back: 60 unless given, at most 360');

export const CompareQuery = z.strictObject({
  resource: z.string().min(1).max(50),
  a: Ages,
  b: Ages,
  minutes,
});

const Recorded = z.object({
  resource: z.enum(RESOURCES),
  observedSeconds: z.number().describe('How far back the recorded reads go'),
  requests: z.number().describe('Reads in that time'),
  sampleRate: z.number().describe('Share of the keys, besides the busiest, whose reads are recorded'),
});

const SimulatedPolicy = z.object({ policy: Policy, effect: Candidate });

export const CompareResponse = Recorded.extend({ a: SimulatedPolicy, b: SimulatedPolicy });

export const CurveQuery = z.strictObject({ resource: z.string().min(1).max(50), minutes });

export const CurveResponse = Recorded.extend({
  current: SimulatedPolicy.describe('The policy in force'),
  points: z
    .array(
      SimulatedPolicy.extend({
        savedUpstreamCallsPerMinute: z
          .number()
          .nullable()
          .describe('Fewer than with the policy in force; negative: more'),
        addedStalenessSeconds: z
          .number()
          .nullable()
          .describe('Mean age of what reads would have got, above that with the policy in force'),
      }),
    )
    .describe(
      'By ascending TTL, none longer than observedSeconds but the one in force. The policy of a point is the body of a PATCH of the resource’s policy',
    ),
});

export const AdviceQuery = z.strictObject({
  upstreamCallsPerMinute: z.coerce.number().min(0).max(1e9).optional(),
  staleSeconds: z.coerce.number().pipe(AGE).optional(),
});

export const AdviceResponse = z.object({
  goal: z.object({ upstreamCallsPerMinute: z.number().optional(), staleSeconds: z.number().optional() }),
  reachable: z
    .boolean()
    .describe('False: no policy reaches the goal on this traffic; the nearest is advised'),
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
  total: z.object({ current: z.number().nullable(), expected: z.number().nullable() }),
});

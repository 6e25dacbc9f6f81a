import { z } from 'zod';
import { MODES } from '#server/cache/cache-mode.ts';
import { RESOURCES } from '#server/cache/resources.ts';

/** What operators may send, and what they get. Unknown fields are refused: a misspelt one must not do nothing. */

const LONGEST_AGE = 31_536_000;
const MOST_NAMES = 1_000;

/** A policy's age. */
export const AGE = z.int().min(0).max(LONGEST_AGE).describe('Whole seconds');

/** Ages in seconds; those that are not named stay as they are. */
export const PolicyChange = z
  .strictObject({ ttl: AGE.exactOptional(), swr: AGE.exactOptional(), sie: AGE.exactOptional() })
  .refine((change) => Object.keys(change).length > 0, 'At least one of ttl, swr and sie is needed.');

export const Policy = z.object({ ttl: z.number(), swr: z.number(), sie: z.number() });

export const PolicyResponse = Policy.extend({ configured: Policy, changed: z.boolean() });
export const PoliciesResponse = z.record(z.enum(RESOURCES), PolicyResponse);
export const ChangedPolicyResponse = PolicyResponse.extend({
  persisted: z.boolean().describe('False: the disk refused, so that a restart undoes the change.'),
});

const name = z.string().min(1).max(600);

export const PurgeBody = z
  .strictObject({
    tags: z.array(name).max(MOST_NAMES).optional(),
    pages: z.array(z.string().max(2_000).startsWith('/')).max(MOST_NAMES).optional(),
    all: z.boolean().optional(),
    soft: z.boolean().optional(),
  })
  .refine(
    ({ tags = [], pages = [], all = false }) => all || tags.length + pages.length > 0,
    'At least one of tags, all and pages is needed.',
  );

export const PurgeResponse = z.object({
  purged: z.number().describe('Upstream answers taken out, or made stale; pages made of them go with them.'),
  pages: z.number().describe('Finished pages named by their path that stood.'),
});

export const ModeBody = z.strictObject({
  mode: z.enum(MODES),
  ttlFactor: z.number().min(0.1).max(1_000).optional(),
  forSeconds: z.int().min(1).max(86_400).optional(),
});

export const ModeResponse = z.object({
  mode: z.enum(MODES),
  ttlFactor: z.number(),
  endsInSeconds: z.number().nullable(),
});

export const ExplainQuery = z.strictObject({ url: z.string().min(1).max(2_000) });

const ExplainedPart = z.object({
  key: z.string(),
  resource: z.string(),
  state: z.enum(['fresh', 'stale', 'stale-if-error', 'expired', 'absent', 'missing']),
  ageSeconds: z.number().nullable(),
  nextRefreshSeconds: z.number().nullable(),
  tags: z.array(z.string()),
  bytes: z.number(),
  version: z.number().nullable(),
  loading: z.boolean(),
  lastOutcome: z.enum(['loaded', 'failed', 'absent', 'unknown']),
  lastError: z.object({ message: z.string(), secondsAgo: z.number() }).nullable(),
  why: z.string(),
});

export type ExplainedPart = z.infer<typeof ExplainedPart>;

export const ExplainResponse = z.object({
  url: z.string().describe('The address in its canonical form'),
  page: z.string().describe('The name of its route'),
  cached: z.boolean(),
  why: z.string(),
  state: z.enum(['fresh', 'stale']).nullable(),
  freshSeconds: z.number().nullable(),
  complete: z.boolean().nullable(),
  bytes: z.number(),
  lastResponse: z
    .object({ status: z.number(), location: z.string().nullable(), secondsAgo: z.number() })
    .nullable(),
  parts: z.array(ExplainedPart),
  failing: z.array(ExplainedPart).describe('Answers without a copy whose last load failed, of any page'),
});

const Stats = z.object({
  entries: z.number(),
  bytes: z.number(),
  hits: z.number(),
  misses: z.number(),
  staleHits: z.number(),
  coalesced: z.number(),
  refreshes: z.number(),
  errors: z.number(),
  policy: Policy,
});

export const CacheResponse = z
  .object(Object.fromEntries(RESOURCES.map((resource) => [resource, Stats])))
  .extend({ pages: z.object({ entries: z.number(), bytes: z.number() }) });

/** A number on this instance's disk; milliseconds and a number in the stream of all instances. */
const OutboxId = z.union([z.number(), z.string()]);

export const OutboxResponse = z.object({
  depth: z.object({
    submissions: z.number(),
    views: z.number(),
    refused: z.number(),
    oldestSeconds: z.number(),
  }),
  items: z.array(
    z.object({
      id: OutboxId,
      kind: z.string(),
      state: z.enum(['waiting', 'refused']),
      attempts: z.number(),
      lastError: z.string().nullable(),
      createdAt: z.string(),
    }),
  ),
});

export const WebVitalsResponse = z.object({
  pages: z.array(
    z.object({
      route: z.string(),
      width: z.string(),
      documents: z.number(),
      largestPaint: z.number().nullable(),
      longestInteraction: z.number().nullable(),
      layoutShift: z.number().nullable(),
    }),
  ),
  failedChunks: z.array(z.object({ route: z.string(), count: z.number() })),
});

export const OutboxItemParams = z.object({
  id: z.union([z.coerce.number().int().positive(), z.string().regex(/^\d{1,15}-\d{1,15}$/)]),
});
export const RetryResponse = z.object({ id: OutboxId, state: z.literal('waiting') });
export const ResourceParams = z.object({ resource: z.string() });

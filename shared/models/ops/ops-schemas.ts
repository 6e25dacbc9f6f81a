import { z } from 'zod';
import { MODES } from '../cache-modes.ts';
import { Policy } from '../policy-schemas.ts';
import { RESOURCES } from '../resources.ts';
import { InstanceReach } from './instances-schemas.ts';

/** Requests and responses of the operators' listener. Unknown fields are rejected: a misspelt one must not be ignored. */

const instances = InstanceReach.optional().describe('Only with REDIS_URL.');

const MAX_NAMES = 1_000;

const PolicyResponse = Policy.extend({ configured: Policy, changed: z.boolean() });
export const PoliciesResponse = z.record(z.enum(RESOURCES), PolicyResponse);
export const ChangedPolicyResponse = PolicyResponse.extend({
  persisted: z
    .boolean()
    .describe('False: it could not be written to disk, so that a restart undoes the change.'),
  instances,
});

const name = z.string().min(1).max(600);
const path = z
  .string()
  .max(2_000)
  .regex(/^\/(?!\/)/, 'A path, which starts with one slash.');

export const PurgeBody = z
  .strictObject({
    tags: z.array(name).max(MAX_NAMES).optional(),
    pages: z.array(path).max(MAX_NAMES).optional(),
    all: z.boolean().optional(),
    soft: z.boolean().optional(),
  })
  .refine(
    ({ tags = [], pages = [], all = false }) => all || tags.length + pages.length > 0,
    'At least one of tags, all and pages is needed.',
  );

export const PurgeResponse = z.object({
  purged: z
    .number()
    .describe('Cache entries removed, or made stale; cached pages built from them are purged too.'),
  pages: z.number().describe('How many of the named pages were cached.'),
  cdn: z
    .object({ queued: z.number().describe('Tags that wait to be purged at the CDN.') })
    .optional()
    .describe('Only with CDN.'),
  instances,
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

export const ChangedModeResponse = ModeResponse.extend({ instances });

export const ExplainQuery = z.strictObject({ url: z.string().min(1).max(2_000) });

const ExplainedDependency = z.object({
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

export type ExplainedDependency = z.infer<typeof ExplainedDependency>;

export const ExplainResponse = z.object({
  url: z.string().describe('The URL in its canonical form'),
  page: z
    .string()
    .describe('The name of its page; api or feed for a response to programs, uncached for what is not kept'),
  cached: z.boolean(),
  why: z.string(),
  state: z.enum(['fresh', 'stale']).nullable(),
  freshSeconds: z.number().nullable(),
  complete: z.boolean().nullable(),
  bytes: z.number(),
  lastResponse: z
    .object({ status: z.number(), location: z.string().nullable(), secondsAgo: z.number() })
    .nullable(),
  dependencies: z.array(ExplainedDependency).describe('Upstream responses that the page is built from'),
  failing: z
    .array(ExplainedDependency)
    .describe('Upstream responses, of any page, that are not cached and whose last load failed'),
});

const ResourceStats = z.object({
  entries: z.number(),
  bytes: z.number(),
  hits: z.number(),
  misses: z.number(),
  staleHits: z.number(),
  coalesced: z.number(),
  refreshes: z.number(),
  refreshSuccesses: z.number(),
  refreshErrors: z.number(),
  errors: z.number(),
  servedAgeSeconds: z.number(),
  policy: Policy,
});

export const CacheResponse = z
  .object(Object.fromEntries(RESOURCES.map((resource) => [resource, ResourceStats])))
  .extend({ pages: z.object({ entries: z.number(), bytes: z.number() }) });

/** Its `Idempotency-Key`. */
const MessageId = z.string().regex(/^[\w-]{1,64}$/);

export const OutboxResponse = z.object({
  pending: z.object({ submissions: z.number(), views: z.number() }),
  rejected: z.number(),
  oldestMessageAgeSeconds: z.number(),
  messages: z.array(
    z.object({
      id: MessageId,
      kind: z.string(),
      state: z.enum(['pending', 'rejected']),
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
      device: z.string(),
      documents: z.number(),
      lcpSeconds: z.number().nullable(),
      inpSeconds: z.number().nullable(),
      cls: z.number().nullable(),
    }),
  ),
  chunkLoadErrors: z.array(z.object({ route: z.string(), count: z.number() })),
});

export const OutboxMessageParams = z.object({ id: MessageId });
export const RetryBody = z.strictObject({
  kind: z.enum(['subscription', 'contact', 'opt-out', 'view']).optional(),
});
export const RetriedResponse = z.object({ retried: z.number() });
export const RetryResponse = z.object({ id: MessageId, state: z.literal('pending') });
export const ResourceParams = z.object({ resource: z.string() });

export const SessionResponse = z.object({
  role: z.enum(['operator', 'reader']).describe('A reader may change nothing.'),
  token: z.string().describe('The name of the token of this request'),
});

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string().describe('ISO 8601'),
  who: z.string().describe('The name of the token'),
  from: z.string().describe('Client IP'),
  requestId: z.string(),
  what: z.string(),
  asked: z.unknown().optional(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditResponse = z.object({
  entries: z.array(AuditEntry).describe('Newest first, at most 1,000'),
});

const ratio = z.number().nullable();
const Quantiles = z
  .object({ p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable()
  .describe('Seconds, as fine as the buckets of the histogram');

export const HistoryPoint = z.object({
  at: z.string().describe('ISO 8601'),
  requests: z
    .object({
      perSecond: ratio,
      errorRatio: ratio.describe('Responses with a 5xx status'),
      hitRatio: ratio.describe(
        'Of the response cache: pages, API calls and feeds that were cached, or coalesced with another request',
      ),
      durationSeconds: Quantiles,
      missSeconds: Quantiles.describe('Of those that the front cache did not serve'),
      perSecondByClass: z
        .object({ '2xx': ratio, '3xx': ratio, '4xx': ratio, '5xx': ratio })
        .describe('By the class of their status'),
    })
    .describe('Readers’ requests for pages and of the API'),
  cache: z
    .object({
      hitRatio: ratio.describe('Served from memory, fresh or stale'),
      staleRatio: ratio,
      meanAgeSeconds: ratio.describe('Of what was served from memory, since its load from the upstream'),
    })
    .describe('Reads of the content cache'),
  upstream: z.object({
    requestsPerSecond: ratio,
    errorRatio: ratio.describe('Any outcome but a usable 2xx response'),
    durationSeconds: Quantiles,
  }),
  render: z.object({ queueLength: z.number(), p95Seconds: ratio }),
  process: z.object({
    eventLoopLagSeconds: z
      .object({ p99: z.number(), max: z.number() })
      .describe('Of the last one to two minutes'),
    cpuShare: ratio.describe('Of one core: 1 is all of it'),
    residentBytes: z.number(),
    heapBytes: z.number().describe('Used by JavaScript objects'),
  }),
  isRedisUp: z.boolean().nullable().describe('Null where none is configured'),
  cdn: z
    .object({ queueLength: z.number(), purgesPerSecond: ratio, errorsPerSecond: ratio })
    .nullable()
    .describe('Purge calls to the CDN; null without one'),
  images: z
    .object({ perSecond: ratio, errorsPerSecond: ratio })
    .describe('Image transforms; errors and rejections count as errors'),
});

export const HistoryEvent = z.object({
  at: z.string().describe('ISO 8601'),
  kind: z.enum(['change', 'circuit-breaker', 'start']),
  text: z.string(),
});

export const HistoryQuery = z.strictObject({
  minutes: z.coerce.number().int().min(1).max(1_440).describe('How far back'),
});
export const HistoryResponse = z.object({
  points: z.array(HistoryPoint).describe('Oldest first: by ten seconds, the minute or five minutes'),
  events: z.array(HistoryEvent).describe('Oldest first, at most 400'),
  hitRatios: z
    .record(z.string(), z.array(ratio))
    .describe('Of each resource by the minute, for half an hour, oldest first'),
});

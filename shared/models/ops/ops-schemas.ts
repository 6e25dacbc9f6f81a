import { z } from 'zod';
import { MODES } from '../cache-modes.ts';
import { OUTBOX_KINDS } from '../outbox-kinds.ts';
import { DIGITS, Policy } from '../policy-schemas.ts';
import { RESOURCES } from '../resources-and-policies.ts';

/** Requests and responses of the operators' listener. Unknown fields are rejected: a misspelt one must not be ignored. */

const MAX_NAMES = 1_000;

const PolicyResponse = Policy.extend({ configured: Policy, changed: z.boolean() });
export const PoliciesResponse = z.record(z.enum(RESOURCES), PolicyResponse);
export const ChangedPolicyResponse = PolicyResponse.extend({
  persisted: z
    .boolean()
    .describe('False: it could not be written to disk, so that a restart undoes the change.'),
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
    dryRun: z.boolean().optional(),
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
});

/** What a purge would do. */
export const PurgePreview = z.object({
  dryRun: z.literal(true),
  purged: z.literal(0),
  entries: z.number().describe('Cache entries that would go, or be made stale'),
  pages: z.number().describe('Cached responses that are built from them'),
  firstEntries: z.array(z.string()).describe('The first ten of the entries'),
  firstPages: z.array(z.string()).describe('The first ten of the responses'),
  unknownTags: z.array(z.string()).describe('Tags that no cached entry has'),
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

const ExplainedDependency = z.object({
  key: z.string(),
  resource: z.string(),
  state: z.enum(['fresh', 'stale', 'stale-if-error', 'expired', 'absent', 'missing']),
  ageSeconds: z.number().nullable(),
  nextRefreshSeconds: z.number().nullable(),
  tags: z.array(z.string()),
  bytes: z.number(),
  version: z.number().nullable(),
  lastError: z.object({ message: z.string(), secondsAgo: z.number() }).nullable(),
});

export const ExplainResponse = z.object({
  url: z.string().describe('The URL in its canonical form'),
  page: z
    .string()
    .describe(
      'The name of its page; api or feed for a response to programs, once it was requested; data for a key',
    ),
  cached: z.boolean(),
  state: z.enum(['fresh', 'stale', 'expired']).nullable(),
  freshSeconds: z.number().nullable(),
  complete: z.boolean().nullable(),
  bytes: z.number(),
  lastResponse: z
    .object({ status: z.number(), location: z.string().nullable(), secondsAgo: z.number() })
    .nullable(),
  dependencies: z.array(ExplainedDependency).describe('Upstream responses that the page is built from'),
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

/** Its `Idempotency-Key`. Longer than the names that BullMQ gives its own keys beside those of messages. */
const MessageId = z.string().regex(/^[\w-]{20,64}$/);

export const OutboxResponse = z.object({
  pending: z.object({ submissions: z.number(), views: z.number() }),
  rejected: z.number(),
  oldestMessageAgeSeconds: z.number(),
  messages: z.array(
    z.object({
      id: MessageId,
      kind: z.enum(OUTBOX_KINDS),
      state: z.enum(['pending', 'rejected']),
      attempts: z.number(),
      lastError: z.string().nullable(),
      createdAt: z.string(),
      nextAttemptAt: z.string().nullable().describe('About; null where it was rejected'),
    }),
  ),
});

export const OutboxMessageParams = z.object({ id: MessageId });
/** A kind of message; all kinds without it. */
export const RejectedMessages = z.strictObject({ kind: z.enum(OUTBOX_KINDS).optional() });
export const RetriedResponse = z.object({ retried: z.number() });
export const DiscardedResponse = z.object({ discarded: z.number() });
export const RetryResponse = z.object({ id: MessageId, state: z.literal('pending') });
export const ResourceParams = z.object({ resource: z.string() });

export const SessionResponse = z.object({
  role: z.enum(['operator', 'reader', 'purger']).describe('A reader may change nothing.'),
  token: z.string().describe('The name of the token of this request'),
});

const Undo = z.object({ method: z.string(), path: z.string(), body: z.unknown().optional() });

export const Change = z.object({
  id: z.string(),
  at: z.string().describe('ISO 8601'),
  who: z.string().describe('The name of the token'),
  from: z.string().describe('Client IP'),
  requestId: z.string(),
  what: z.string(),
  asked: z.unknown().optional(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  undo: Undo.nullable().describe('The call that takes it back'),
});
export type Change = z.infer<typeof Change>;

export const ChangesResponse = z.object({
  changes: z.array(Change).readonly().describe('Newest first, at most 200'),
});

export const MetricsHistoryQuery = z.strictObject({
  minutes: DIGITS.pipe(z.int().min(1).max(1_440)).default(60).describe('How far back'),
});

export const MetricsHistoryResponse = z.object({
  stepSeconds: z.number(),
  series: z
    .array(z.string())
    .describe('Names of the series; of a histogram, counts by bucket, not cumulative'),
  at: z
    .array(z.number())
    .describe('Milliseconds since 1970 of each sample, oldest first; the last is of now'),
  values: z
    .array(z.array(z.number().nullable()))
    .describe('By sample, then by series; null where there was none'),
});

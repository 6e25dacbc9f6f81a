import { z } from 'zod';
import { PolicyChanges } from '#server/cache/policies.ts';
import { MODES } from '#shared/models/cache-modes.ts';

/** A change by an operator of one instance, for all of them. */
export const InvalidationMessage = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('purge'),
    tags: z.array(z.string()),
    keys: z.array(z.string()),
    all: z.boolean(),
    soft: z.boolean(),
  }),
  /** All that differs from the configuration. */
  z.object({ what: z.literal('policies'), changes: PolicyChanges }),
  z.object({
    what: z.literal('mode'),
    mode: z.enum(MODES),
    ttlFactor: z.number().positive(),
    /** Null: back to normal. */
    endsInSeconds: z.number().nullable(),
  }),
]);
export type InvalidationMessage = z.infer<typeof InvalidationMessage>;
export type PoliciesMessage = InvalidationMessage & { what: 'policies' };
export type ModeMessage = InvalidationMessage & { what: 'mode' };

export const PURGE_ALL: InvalidationMessage = { what: 'purge', tags: [], keys: [], all: true, soft: false };

const Envelope = z.object({
  by: z.string(),
  change: InvalidationMessage,
  /** It could not be appended when it was made: the sender has purged the CDN before anybody could hear of it. */
  isDelayed: z.boolean().default(false),
});

/** Returns a message and its sender as stored in Redis. */
export function serializeInvalidationMessage(envelope: z.infer<typeof Envelope>): string {
  return JSON.stringify(envelope);
}

/** Returns a stored message, or null where the text is not one. */
export function parseInvalidationMessage(text: string): z.infer<typeof Envelope> | null {
  try {
    return Envelope.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

import { z } from 'zod';
import { MODES } from '#server/cache/cache-mode.ts';
import { PolicyChanges } from '#server/cache/policies.ts';

/** What operators change on one instance, for all of them. */
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

export const PURGE_ALL: InvalidationMessage & { what: 'purge' } = {
  what: 'purge',
  tags: [],
  keys: [],
  all: true,
  soft: false,
};

const Signed = z.object({ by: z.string(), change: InvalidationMessage });

/** A change and the instance it comes from, as it stands in Redis. */
export function serializeInvalidationMessage(change: InvalidationMessage, by: string): string {
  return JSON.stringify({ by, change });
}

/** Null for a text that somebody else wrote. */
export function parseInvalidationMessage(text: string): z.infer<typeof Signed> | null {
  try {
    return Signed.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

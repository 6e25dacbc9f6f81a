import { z } from 'zod';
import { PolicyChanges } from '#server/cache/policies.ts';
import { MODES } from '#shared/models/cache-modes.ts';
import { jsonText } from './json-text.ts';

/** A change by an operator of one instance, for all of them. */
export const InstanceMessage = z.discriminatedUnion('what', [
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
export type InstanceMessage = z.infer<typeof InstanceMessage>;
export type PoliciesMessage = InstanceMessage & { what: 'policies' };
export type ModeMessage = InstanceMessage & { what: 'mode' };

export const PURGE_ALL: InstanceMessage = { what: 'purge', tags: [], keys: [], all: true, soft: false };

const Envelope = z.object({
  by: z.string(),
  change: InstanceMessage,
  /** It could not be appended when it was made: the sender has purged the CDN before anybody could hear of it. */
  isDelayed: z.boolean().default(false),
});

/** A message and its sender as stored in Redis. */
export const EnvelopeText = jsonText(Envelope);

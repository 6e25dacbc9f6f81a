import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  EMAIL_RULE,
  MESSAGE_RULE,
  matchesRule,
  NAME_RULE,
  PHONE_RULE,
  type TextRule,
} from '#shared/form-rules.ts';
import * as en from '#shared/texts/en.ts';

/** Schemas of the forms' bodies. A field that is missing, of another type or invalid has its rule's message. */

function text(rule: TextRule, error: string) {
  const { minLength, maxLength, pattern } = rule;
  return z
    .string({ error })
    .refine((given) => matchesRule(given, rule), { error })
    .meta({ ...(minLength > 0 && { minLength }), maxLength, pattern: pattern.source });
}

export const SubscriptionBody = z.object({ email: text(EMAIL_RULE, en.invalidNewsletterEmail) });

export const ContactBody = z.object({
  firstName: text(NAME_RULE, en.invalidFirstName),
  lastName: text(NAME_RULE, en.invalidLastName),
  email: text(EMAIL_RULE, en.invalidEmail),
  phone: text(PHONE_RULE, en.invalidPhone),
  // Programs send null for a field that is not filled in.
  message: text(MESSAGE_RULE, en.invalidMessage)
    .nullish()
    .transform((message) => message ?? ''),
  optIn: z.literal(true, { error: en.missingOptIn }),
});

/** The opt-out form's body where it asks for the address alone: other fields may be missing, not wrong. */
export const EmailBody = ContactBody.partial().required({ email: true });

export const CONTACT_RULES = [NAME_RULE, NAME_RULE, EMAIL_RULE, PHONE_RULE, MESSAGE_RULE];

/** A character of four bytes in UTF-8, percent-encoded; as long as two `\uXXXX` of JSON. */
const MAX_ENCODED_CHARACTER = 12;
/** For names of fields, the checkbox and punctuation. */
const BODY_OVERHEAD = 1_024;

/** Returns the bytes of the longest body, JSON or form post, whose text fields conform to `rules`. */
export function bodyLimitOf(rules: readonly TextRule[]): number {
  return rules.reduce((sum, { maxLength }) => sum + maxLength * MAX_ENCODED_CHARACTER, BODY_OVERHEAD);
}

/** Values of a checked box, as browsers and programs send it. */
export const CHECKED = ['true', 'on', '1'] as const;

/** The contact form's fields in a form post, where every value is text. */
export const ContactFields = ContactBody.extend({ optIn: z.enum(CHECKED) });

/** The media type of a form post without scripts. */
export const FORM_POST = 'application/x-www-form-urlencoded';

/** Those of all form posts: the routes of the forms refuse the others, in a page too. */
const FORM_TYPES: readonly string[] = [FORM_POST, 'multipart/form-data', 'text/plain'];

/** Returns whether a request is a form post. Its `mediaType` is in lower case and without parameters (RFC 9110, 8.3.1). */
export function isFormPost({ method, mediaType }: Pick<FastifyRequest, 'method' | 'mediaType'>): boolean {
  return method === 'POST' && mediaType !== undefined && FORM_TYPES.includes(mediaType);
}

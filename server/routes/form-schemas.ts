import { z } from 'zod';
import { contactErrors, isEmail, NEWSLETTER_EMAIL_MESSAGE } from '#shared/form-rules.ts';

/** The forms' bodies: shapes and lengths here, the rules in `shared/form-rules.ts`. */

const line = z.string().max(300);

export const SubscriptionBody = z
  .object({ email: z.string({ error: NEWSLETTER_EMAIL_MESSAGE }).max(300, NEWSLETTER_EMAIL_MESSAGE) })
  .refine(({ email }) => isEmail(email), { path: ['email'], message: NEWSLETTER_EMAIL_MESSAGE });

export const ContactBody = z
  .object({
    firstName: line.default(''),
    lastName: line.default(''),
    email: line.default(''),
    phone: line.default(''),
    message: z.string().max(10_000).default(''),
    optIn: z.boolean().default(false),
  })
  .superRefine((given, context) => {
    for (const [field, message] of Object.entries(contactErrors(given))) {
      context.addIssue({ code: 'custom', path: [field], message });
    }
  });

/** A form post without scripts: every value is text; a box that is not checked is not sent. */
export const ContactForm = z.preprocess(
  (given) =>
    typeof given === 'object' && given !== null
      ? { ...given, optIn: 'optIn' in given && given.optIn === 'true' }
      : given,
  ContactBody,
);

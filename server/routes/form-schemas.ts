import { z } from 'zod';
import {
  CONTACT_MESSAGES,
  isEmail,
  isMessage,
  isName,
  isPhone,
  NEWSLETTER_EMAIL_MESSAGE,
} from '#shared/form-rules.ts';

/** The forms' bodies. A field that is missing, of another type or against its rule has the rule's message. */

function text(holds: (text: string) => boolean, error: string) {
  return z.string({ error }).refine(holds, { error });
}

export const SubscriptionBody = z.object({ email: text(isEmail, NEWSLETTER_EMAIL_MESSAGE) });

export const ContactBody = z.object({
  firstName: text(isName, CONTACT_MESSAGES.firstName),
  lastName: text(isName, CONTACT_MESSAGES.lastName),
  email: text(isEmail, CONTACT_MESSAGES.email),
  phone: text(isPhone, CONTACT_MESSAGES.phone),
  message: text(isMessage, CONTACT_MESSAGES.message).default(''),
  optIn: z.literal(true, { error: CONTACT_MESSAGES.optIn }),
});

import type { ContactSubmission } from './models/submission.ts';

/** The rules of the forms (specification, section 5; decisions, Forms), for browser, server and OpenAPI alike. */

/** Texts and times that the specification gives. */
export const CONSENT_LINK_TEXT = 'Privacy Policy';
export const CONSENT_TEXT = `By clicking on the Submit button, you are agreeing with the ${CONSENT_LINK_TEXT}`;
export const NEWSLETTER_EMAIL_MESSAGE = 'Please enter a valid email address.';
export const SUBSCRIBED_MESSAGE = 'Thank you for subscribing ✅';
export const ALREADY_SUBSCRIBED_MESSAGE = 'This email is already subscribed ❌';
export const SUBSCRIBED_MESSAGE_MS = 5_000;
export const SENT_MESSAGE = 'Thank you for your message. It has been sent.';
export const SENT_MESSAGE_MS = 8_000;
export const FAILED_CONSOLE_MESSAGE = 'Failed to submit data to the API.';
export const OPT_IN_LABEL =
  'By checking this box, I agree that the product can contact me by email or phone and provide more information about the services. *';

/** What is said of a field of the contact and opt-out forms that breaks its rule. */
export const CONTACT_MESSAGES = {
  firstName: 'Please provide a valid first name.',
  lastName: 'Please provide a valid last name.',
  email: 'Please provide a valid email.',
  phone: 'Please provide a valid phone number.',
  message: 'Please shorten your message.',
  optIn: 'Acknowledgment is required !',
} as const;

/** What the text of a field has to be. */
export interface TextRule {
  /** In characters (Unicode code points), as JSON Schema counts. */
  minLength: number;
  maxLength: number;
  /** Linear: no two neighbouring parts of it take the same character. */
  pattern: RegExp;
}

/** Text, at sign, text, dot, text, no spaces. The longest e-mail address that mail servers take has 254 characters. */
export const EMAIL_RULE: TextRule = {
  minLength: 5,
  maxLength: 254,
  pattern: /^[^\s@\p{Cc}]+@[^\s@\p{Cc}][^\s@.\p{Cc}]*\.[^\s@\p{Cc}]+$/u,
};

/** Not digits only, not only `.`, `,`, `@`; letters, digits, `'`, `.`, `,`, `@` and spaces; the last one no space. */
export const NAME_RULE: TextRule = {
  minLength: 1,
  maxLength: 100,
  pattern: /^(?![0-9]+$)(?![.,@]+$)[\p{L}\p{M}0-9'.,@ ]*[\p{L}\p{M}0-9'.,@]$/u,
};

/** 6 to 15 characters: digits, `+`, `-`, parentheses and `.`, with single spaces between groups. */
export const PHONE_RULE: TextRule = {
  minLength: 6,
  maxLength: 15,
  pattern: /^[0-9+().-]+(?: [0-9+().-]+)*$/u,
};

/** At most 5000 characters; line breaks and tabs are the only control characters among them. */
export const MESSAGE_RULE: TextRule = {
  minLength: 0,
  maxLength: 5_000,
  pattern: /^(?:[^\p{Cc}\u2028\u2029]|[\t\n\r])*$/u,
};

/** Whether a text keeps a rule. The length is looked at first: it bounds the work of the pattern. */
export function keepsRule(text: string, { minLength, maxLength, pattern }: TextRule): boolean {
  // A character has one or two code units: what is that long needs no counting.
  if (text.length > 2 * maxLength) return false;
  const { length } = [...text];
  return length >= minLength && length <= maxLength && pattern.test(text);
}

/** The contact and opt-out form's messages, by field; empty when all is well. */
export function contactErrors(given: ContactSubmission): Partial<Record<keyof ContactSubmission, string>> {
  return {
    ...(!keepsRule(given.firstName, NAME_RULE) && { firstName: CONTACT_MESSAGES.firstName }),
    ...(!keepsRule(given.lastName, NAME_RULE) && { lastName: CONTACT_MESSAGES.lastName }),
    ...(!keepsRule(given.email, EMAIL_RULE) && { email: CONTACT_MESSAGES.email }),
    ...(!keepsRule(given.phone, PHONE_RULE) && { phone: CONTACT_MESSAGES.phone }),
    ...(!keepsRule(given.message, MESSAGE_RULE) && { message: CONTACT_MESSAGES.message }),
    ...(!given.optIn && { optIn: CONTACT_MESSAGES.optIn }),
  };
}

import type { ContactSubmission } from './models/submission.ts';

/** Rules of the forms (specification, section 5; decisions, Forms), for browser, server and OpenAPI. */

/** Texts and durations from the specification. */
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

/** Error messages of the contact and opt-out forms, by field. */
export const CONTACT_MESSAGES = {
  firstName: 'Please provide a valid first name.',
  lastName: 'Please provide a valid last name.',
  email: 'Please provide a valid email.',
  phone: 'Please provide a valid phone number.',
  message: 'Please shorten your message.',
  optIn: 'Acknowledgment is required !',
} as const;

/** Validation rule of a text field. */
export interface TextRule {
  /** In characters (Unicode code points), as JSON Schema counts. */
  minLength: number;
  maxLength: number;
  /** Matches in linear time: no two adjacent parts match the same character. */
  pattern: RegExp;
}

/** `text@text.text` without spaces. Mail servers accept at most 254 characters (RFC 5321). */
export const EMAIL_RULE: TextRule = {
  minLength: 5,
  maxLength: 254,
  pattern: /^[^\s@\p{Cc}]+@[^\s@\p{Cc}][^\s@.\p{Cc}]*\.[^\s@\p{Cc}]+$/u,
};

/** Letters, digits, `'`, `.`, `,`, `@` and spaces; not only digits, not only `.`, `,`, `@`; no space at the end. */
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

/** Returns whether a text conforms to a rule. Checks the length first, which bounds the work of the pattern. */
export function matchesRule(text: string, { minLength, maxLength, pattern }: TextRule): boolean {
  // A code point has at most two code units: a longer text needs no counting.
  if (text.length > 2 * maxLength) return false;
  const { length } = [...text];
  return length >= minLength && length <= maxLength && pattern.test(text);
}

/** Returns the error messages of a contact or opt-out form by field; empty if it is valid. */
export function contactErrors(given: ContactSubmission): Partial<Record<keyof ContactSubmission, string>> {
  return {
    ...(!matchesRule(given.firstName, NAME_RULE) && { firstName: CONTACT_MESSAGES.firstName }),
    ...(!matchesRule(given.lastName, NAME_RULE) && { lastName: CONTACT_MESSAGES.lastName }),
    ...(!matchesRule(given.email, EMAIL_RULE) && { email: CONTACT_MESSAGES.email }),
    ...(!matchesRule(given.phone, PHONE_RULE) && { phone: CONTACT_MESSAGES.phone }),
    ...(!matchesRule(given.message, MESSAGE_RULE) && { message: CONTACT_MESSAGES.message }),
    ...(!given.optIn && { optIn: CONTACT_MESSAGES.optIn }),
  };
}

import type { ContactSubmission } from './models/submission.ts';
import * as en from './texts/en.ts';

/** Rules of the forms (specification, section 5; decisions, Forms), for browser, server and OpenAPI. */

/** Durations from the specification. */
export const SUBSCRIBED_MESSAGE_MS = 5_000;
export const SENT_MESSAGE_MS = 8_000;

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
    ...(!matchesRule(given.firstName, NAME_RULE) && { firstName: en.invalidFirstName }),
    ...(!matchesRule(given.lastName, NAME_RULE) && { lastName: en.invalidLastName }),
    ...(!matchesRule(given.email, EMAIL_RULE) && { email: en.invalidEmail }),
    ...(!matchesRule(given.phone, PHONE_RULE) && { phone: en.invalidPhone }),
    ...(!matchesRule(given.message, MESSAGE_RULE) && { message: en.invalidMessage }),
    ...(!given.optIn && { optIn: en.missingOptIn }),
  };
}

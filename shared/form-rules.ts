import type { ContactSubmission } from './models/submission.ts';

/**
 * The rules of the forms (specification, section 5; decisions, Forms), for browser and server alike. Plain functions
 * over characters: none takes more than linear time.
 */

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

/** Longer than any real one; the longest e-mail address that mail servers take is 254 characters. */
const EMAIL_AT_MOST = 254;
const NAME_AT_MOST = 100;
const MESSAGE_AT_MOST = 5_000;
const PHONE_AT_LEAST = 6;
const PHONE_AT_MOST = 15;

const LETTER = /^[\p{L}\p{M}]$/u;
const NAME_SIGNS = new Set("'.,@");
const PHONE_SIGNS = new Set('+-().');

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029;
}

function every(text: string, is: (character: string) => boolean): boolean {
  for (const character of text) if (!is(character)) return false;
  return true;
}

/** Text, at sign, text, dot, text, no spaces. */
export function isEmail(text: string): boolean {
  if (
    text.length > EMAIL_AT_MOST ||
    !every(text, (character) => character.trim() !== '' && !isControl(character))
  )
    return false;
  const at = text.indexOf('@');
  if (at < 1 || text.indexOf('@', at + 1) >= 0) return false;
  const dot = text.indexOf('.', at + 2);
  return dot > 0 && dot < text.length - 1;
}

/** Not digits only, not only `.`, `,`, `@`; letters, digits, `'`, `.`, `,`, `@` and spaces; the last one no space. */
export function isName(text: string): boolean {
  if (text === '' || text.length > NAME_AT_MOST || text.endsWith(' ')) return false;
  if (every(text, isDigit) || every(text, (character) => character !== "'" && NAME_SIGNS.has(character)))
    return false;
  return every(
    text,
    (character) =>
      LETTER.test(character) || isDigit(character) || character === ' ' || NAME_SIGNS.has(character),
  );
}

/** 6 to 15 characters: digits, `+`, `-`, parentheses and `.`, with single spaces between groups. */
export function isPhone(text: string): boolean {
  if (text.length < PHONE_AT_LEAST || text.length > PHONE_AT_MOST) return false;
  const groups = text.split(' ');
  return groups.every(
    (group) => group !== '' && every(group, (character) => isDigit(character) || PHONE_SIGNS.has(character)),
  );
}

/** At most 5000 characters; line breaks and tabs are the only control characters among them. */
export function isMessage(text: string): boolean {
  return (
    text.length <= MESSAGE_AT_MOST &&
    every(
      text,
      (character) => character === '\n' || character === '\r' || character === '\t' || !isControl(character),
    )
  );
}

/** The contact and opt-out form's messages, by field; empty when all is well. */
export function contactErrors(given: ContactSubmission): Partial<Record<keyof ContactSubmission, string>> {
  return {
    ...(!isName(given.firstName) && { firstName: CONTACT_MESSAGES.firstName }),
    ...(!isName(given.lastName) && { lastName: CONTACT_MESSAGES.lastName }),
    ...(!isEmail(given.email) && { email: CONTACT_MESSAGES.email }),
    ...(!isPhone(given.phone) && { phone: CONTACT_MESSAGES.phone }),
    ...(!isMessage(given.message) && { message: CONTACT_MESSAGES.message }),
    ...(!given.optIn && { optIn: CONTACT_MESSAGES.optIn }),
  };
}

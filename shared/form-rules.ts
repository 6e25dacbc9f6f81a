import type { ContactSubmission } from './models/submission.ts';

/**
 * The rules and texts of the forms (specification sections 4, 5, 8 and 9), for the browser and the server alike.
 * Every check looks at each character once: no pattern here can be made to backtrack.
 */

/** Longest address that mail can be sent to (RFC 5321). */
const EMAIL_MAX = 254;
const NAME_MAX = 100;
const MESSAGE_MAX = 5_000;
const PHONE_MIN = 6;
const PHONE_MAX = 15;

export const NEWSLETTER_EMAIL_MESSAGE = 'Please enter a valid email address.';
export const NEWSLETTER_CONSENT =
  'By clicking on the Submit button, you are agreeing with the Privacy Policy';
export const NEWSLETTER_SUCCESS = 'Thank you for subscribing ✅';
export const NEWSLETTER_ALREADY_SUBSCRIBED = 'This email is already subscribed ❌';
/** The thank-you stands this long before the consent text is back, in milliseconds. */
export const NEWSLETTER_SUCCESS_MS = 5_000;

export const OPT_IN_LABEL =
  'By checking this box, I agree that the product can contact me by email or phone and provide more information about the services. *';
export const CONTACT_SUCCESS = 'Thank you for your message. It has been sent.';
/** The success message stands this long, in milliseconds. */
export const CONTACT_SUCCESS_MS = 8_000;
export const SUBMIT_BUSY_LABEL = 'Submitting...';
/** For the console: the reader is shown nothing. */
export const CONTACT_FAILURE_LOG = 'Failed to submit data to the API.';

/** What is said of a field of the contact and opt-out forms that breaks its rule. */
export const CONTACT_MESSAGES: Readonly<Record<keyof ContactSubmission, string>> = {
  firstName: 'Please provide a valid first name.',
  lastName: 'Please provide a valid last name.',
  email: 'Please provide a valid email.',
  phone: 'Please provide a valid phone number.',
  // The specification has no words for it: its message field has no rule beyond being optional.
  message: `Please keep the message to ${MESSAGE_MAX} characters of plain text.`,
  optIn: 'Acknowledgment is required !',
};

/** A form's messages, by field; a field that is right has none. */
export type ContactErrors = Partial<Record<keyof ContactSubmission, string>>;

const LETTER_OR_MARK = /^[\p{L}\p{M}]$/u;
const SPACE = /^\s$/u;
/** Control characters, and halves of characters, which no JSON parser has to accept. */
const CONTROL = /^[\p{Cc}\p{Cs}]$/u;
const DIGITS = '0123456789';
const NAME_PUNCTUATION = "'.,@";
const PHONE_PUNCTUATION = '+-().';

function every(text: string, holds: (character: string) => boolean): boolean {
  for (const character of text) if (!holds(character)) return false;
  return true;
}

function isControl(character: string): boolean {
  return CONTROL.test(character);
}

function isDigit(character: string): boolean {
  return DIGITS.includes(character);
}

/** Characters as a reader counts them, up to one more than `max`, so that a long text costs no more than a short one. */
function fits(text: string, max: number): boolean {
  // A character is two code units at most.
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

/** True for text, at sign, text, dot, text, without spaces and of at most 254 characters. */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_MAX) return false;
  if (!every(text, (character) => !SPACE.test(character) && !isControl(character))) return false;
  const at = text.indexOf('@');
  if (at < 1 || text.includes('@', at + 1)) return false;
  // A dot with text on both sides: not the first character after the at sign, not the last of all.
  const dot = text.indexOf('.', at + 2);
  return dot !== -1 && dot < text.length - 1;
}

/** The newsletter's message for an address that breaks the rule; null for one that does not. */
export function checkEmail(text: string): string | null {
  return isEmail(text) ? null : NEWSLETTER_EMAIL_MESSAGE;
}

/**
 * True for a first or last name: letters of any script with their marks, digits, `'`, `.`, `,`, `@` and spaces;
 * not digits alone, not `.`, `,` and `@` alone, no space at the end; at most 100 characters.
 */
export function isName(text: string): boolean {
  if (text === '' || !fits(text, NAME_MAX)) return false;
  if (every(text, isDigit) || every(text, (character) => '.,@'.includes(character))) return false;
  return !text.endsWith(' ') && every(text, isNameCharacter);
}

function isNameCharacter(character: string): boolean {
  return (
    character === ' ' ||
    isDigit(character) ||
    NAME_PUNCTUATION.includes(character) ||
    LETTER_OR_MARK.test(character)
  );
}

/** True for 6 to 15 characters: digits, `+`, `-`, `(`, `)` and `.`, with single spaces between groups. */
export function isPhone(text: string): boolean {
  if (text.length < PHONE_MIN || text.length > PHONE_MAX) return false;
  if (text.startsWith(' ') || text.endsWith(' ') || text.includes('  ')) return false;
  return every(
    text,
    (character) => character === ' ' || isDigit(character) || PHONE_PUNCTUATION.includes(character),
  );
}

/** True for up to 5000 characters; line breaks are the only control characters among them. */
export function isMessage(text: string): boolean {
  if (!fits(text, MESSAGE_MAX)) return false;
  return every(text, (character) => character === '\n' || character === '\r' || !isControl(character));
}

/** The message of each field of a contact or opt-out form that breaks its rule; none where all is right. */
export function validateContact(input: ContactSubmission): ContactErrors {
  const right: Record<keyof ContactSubmission, boolean> = {
    firstName: isName(input.firstName),
    lastName: isName(input.lastName),
    email: isEmail(input.email),
    phone: isPhone(input.phone),
    message: isMessage(input.message),
    optIn: input.optIn,
  };
  const errors: ContactErrors = {};
  for (const field of CONTACT_FIELDS) if (!right[field]) errors[field] = CONTACT_MESSAGES[field];
  return errors;
}

/** The fields in the order in which the form shows them. */
export const CONTACT_FIELDS = ['firstName', 'lastName', 'email', 'phone', 'message', 'optIn'] as const;

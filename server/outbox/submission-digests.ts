import { createHmac } from 'node:crypto';

/**
 * Returns keyed digests (HMAC) that find repeats and senders, and outlive the personal data they were made from. `digest`:
 * equal for submissions with the same fields, in whatever order. `sender`: equal for those of one e-mail address that are
 * delivered in order: an opt-out must not overtake a subscription; a contact message has nothing to do with either.
 */
export function digestSubmission(
  secret: Buffer,
  { kind, payload }: { kind: string; payload: string },
): { digest: string; sender: string | null } {
  const digestOf = (text: string) => createHmac('sha256', secret).update(text).digest('base64');
  const given: object = Object(JSON.parse(payload));
  const fields = Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1));
  const email = 'email' in given && typeof given.email === 'string' ? given.email.trim().toLowerCase() : null;
  const about = kind === 'contact' ? 'contact' : 'newsletter';
  return {
    digest: digestOf(JSON.stringify([kind, fields])),
    sender: email === null ? null : digestOf(`${about} ${email}`),
  };
}

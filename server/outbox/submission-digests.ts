import { createHmac } from 'node:crypto';

/** Tells repeats of a submission, and those of one sender, without saying what they hold: the digests outlive it. */
export function createSubmissionDigests(secret: Buffer) {
  const digestOf = (text: string) => createHmac('sha256', secret).update(text).digest('base64');

  return {
    /**
     * `digest`: equal for submissions that say the same, in whatever order. `sender`: equal for those of one e-mail
     * address that have to keep their order. An opt-out must not overtake a subscription; a contact message has nothing
     * to do with either.
     */
    of(kind: string, payload: string): { digest: string; sender: string | null } {
      const said: object = Object(JSON.parse(payload));
      const fields = Object.entries(said).sort(([one], [other]) => (one < other ? -1 : 1));
      const email =
        'email' in said && typeof said.email === 'string' ? said.email.trim().toLowerCase() : null;
      const about = kind === 'contact' ? 'contact' : 'newsletter';
      return {
        digest: digestOf(JSON.stringify([kind, fields])),
        sender: email === null ? null : digestOf(`${about} ${email}`),
      };
    },
  };
}

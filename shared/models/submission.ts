/** Fields of the contact and the opt-out form. */
export interface ContactSubmission {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  message: string;
  optIn: boolean;
}

/** What is sent of them: the opt-out form may have the address alone. */
export type SentSubmission = ContactSubmission | Pick<ContactSubmission, 'email'>;

/** Outcome of a submission, which decides what the reader sees. `status`: HTTP status, 0 where the network failed. */
export type SubmissionOutcome =
  | { kind: 'accepted' }
  | { kind: 'already-subscribed' }
  | { kind: 'invalid'; errors: Record<string, string> }
  | { kind: 'failed'; status: number };

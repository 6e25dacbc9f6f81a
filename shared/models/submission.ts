/** What the contact and the opt-out form send. */
export interface ContactSubmission {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  message: string;
  optIn: boolean;
}

/** The answer to a form: what the reader sees follows from it alone. */
export type SubmissionOutcome =
  | { kind: 'accepted' }
  | { kind: 'already-subscribed' }
  | { kind: 'invalid'; errors: Record<string, string> }
  | { kind: 'failed' };

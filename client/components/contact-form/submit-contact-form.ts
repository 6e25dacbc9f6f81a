import type { SubmitForm } from '#client/routing/form-action.ts';
import { contactErrors } from '#shared/form-validation.ts';
import type { ContactSubmission, SubmissionOutcome } from '#shared/models/submission.ts';
import type { SubmissionApi } from '#shared/site-api.ts';

/** Returns the function that submits the contact or the opt-out form. Only a valid submission is sent. */
export function submitContactForm(
  send: (api: SubmissionApi, submission: ContactSubmission) => Promise<SubmissionOutcome>,
): SubmitForm {
  return async (api, fields) => {
    const submission = toContactSubmission(fields);
    const { email, ...others } = contactErrors(submission);
    // The opt-out form may ask for the address alone.
    const errors = { ...(email && { email }), ...(fields.has('firstName') && others) };
    return Object.keys(errors).length > 0 ? { kind: 'invalid', errors } : send(api, submission);
  };
}

/** Returns the submission in a form's fields: empty text for a missing field. */
export function toContactSubmission(fields: FormData): ContactSubmission {
  const text = (name: string) => String(fields.get(name) ?? '');
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
    phone: text('phone'),
    message: text('message'),
    optIn: fields.has('optIn'),
  };
}

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import {
  contactErrors,
  FAILED_CONSOLE_MESSAGE,
  OPT_IN_LABEL,
  SENT_MESSAGE,
  SENT_MESSAGE_MS,
} from '#shared/form-rules.ts';
import type { ContactSubmission, SubmissionOutcome } from '#shared/models/submission.ts';
import { useFormEcho } from '../../form-echo.tsx';
import { Checkbox, TextArea, TextField } from '../field/field.tsx';
import './contact-form.css';

type Errors = Partial<Record<string, string>>;

export interface ContactFormProps {
  /** Where the form posts without scripts. */
  action: string;
  send: (submission: ContactSubmission) => Promise<SubmissionOutcome>;
}

/** The contact and the opt-out form: the same fields and rules (specification, section 5). */
export function ContactForm({ action, send }: ContactFormProps) {
  const echo = useFormEcho(action);
  const [sentBefore] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>(echo.errors);
  const [submitting, setSubmitting] = useState(false);
  const [sent, setSent] = useState(sentBefore.get('sent') === '1');

  useEffect(() => {
    if (!sent) return;
    const timer = setTimeout(() => setSent(false), SENT_MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [sent]);

  useEffect(() => {
    if (Object.keys(errors).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const submission = submissionOf(new FormData(event.currentTarget));
    const wrong = contactErrors(submission);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    setSubmitting(true);
    const outcome = await send(submission);
    setSubmitting(false);
    if (outcome.kind === 'accepted') {
      form.current?.reset();
      setSent(true);
    } else if (outcome.kind === 'invalid') {
      setErrors(outcome.errors);
    } else {
      console.error(FAILED_CONSOLE_MESSAGE);
    }
  }

  return (
    <form ref={form} className="contact-form" method="post" action={action} noValidate onSubmit={submit}>
      <div className="contact-form-pair">
        <TextField
          required
          id="firstName"
          name="firstName"
          label="First name"
          autoComplete="given-name"
          maxLength={100}
          defaultValue={echo.values['firstName']}
          error={errors['firstName']}
        />
        <TextField
          required
          id="lastName"
          name="lastName"
          label="Last name"
          autoComplete="family-name"
          maxLength={100}
          defaultValue={echo.values['lastName']}
          error={errors['lastName']}
        />
      </div>
      <TextField
        required
        id="email"
        name="email"
        type="email"
        label="Email"
        autoComplete="email"
        maxLength={254}
        defaultValue={echo.values['email']}
        error={errors['email']}
      />
      <TextField
        required
        id="phone"
        name="phone"
        type="tel"
        label="Phone"
        autoComplete="tel"
        maxLength={15}
        defaultValue={echo.values['phone']}
        error={errors['phone']}
      />
      <TextArea
        id="message"
        name="message"
        label="Message"
        rows={6}
        maxLength={5000}
        defaultValue={echo.values['message']}
        error={errors['message']}
      />
      <Checkbox
        id="optIn"
        name="optIn"
        value="true"
        required
        label={OPT_IN_LABEL}
        defaultChecked={echo.values['optIn'] === 'true'}
        error={errors['optIn']}
      />
      <div className="contact-form-foot">
        <button type="submit" className="button" disabled={submitting}>
          {submitting ? 'Submitting...' : 'Submit'}
        </button>
        <p role="status" className="contact-form-sent">
          {sent ? SENT_MESSAGE : ''}
        </p>
      </div>
    </form>
  );
}

function submissionOf(data: FormData): ContactSubmission {
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
    phone: text('phone'),
    message: text('message'),
    optIn: data.get('optIn') === 'true',
  };
}

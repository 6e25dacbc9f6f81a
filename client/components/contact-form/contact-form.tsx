import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useFormResult } from '#client/components/field/form-result.tsx';
import {
  contactErrors,
  FAILED_CONSOLE_MESSAGE,
  OPT_IN_LABEL,
  SENT_MESSAGE,
  SENT_MESSAGE_MS,
} from '#shared/form-validation.ts';
import type { ContactSubmission, SubmissionOutcome } from '#shared/models/submission.ts';
import { Checkbox, TextArea, TextField } from '../field/field.tsx';
import './contact-form.css';

interface ContactFormProps {
  /** URL that the form posts to without JavaScript. */
  action: string;
  send: (submission: ContactSubmission) => Promise<SubmissionOutcome>;
}

type Errors = Record<string, string>;

/** Renders the contact or the opt-out form: the same fields and rules (specification, sections 4, 5 and 8). */
export function ContactForm({ action, send }: ContactFormProps) {
  const formResult = useFormResult(action);
  const [search] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>(formResult.errors);
  const [submitting, setSubmitting] = useState(false);
  const [sent, setSent] = useState(search.get('sent') === '1');
  const showFirstError = useRef(true);

  useEffect(() => {
    if (!sent) return;
    const timer = setTimeout(() => setSent(false), SENT_MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [sent]);

  useEffect(() => {
    if (!showFirstError.current || Object.keys(errors).length === 0) return;
    showFirstError.current = false;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // The label too must be in view, which no browser does for `focus()` alone.
    invalid?.focus({ preventScroll: true });
    invalid?.closest('.field')?.scrollIntoView({ block: 'nearest' });
  }, [errors]);

  function showErrors(found: Errors): void {
    showFirstError.current = true;
    setErrors(found);
  }

  /** Removes the messages of fields that are valid now. Adds none: errors appear on submit only. */
  function removeCorrected(element: HTMLFormElement): void {
    const found: Errors = contactErrors(readSubmission(element));
    setErrors((shown) => Object.fromEntries(Object.entries(shown).filter(([field]) => field in found)));
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (submitting) return;
    const element = event.currentTarget;
    const submission = readSubmission(element);
    const found = contactErrors(submission);
    setSent(false);
    showErrors(found);
    if (Object.keys(found).length > 0) return;
    setSubmitting(true);
    const outcome = await send(submission);
    setSubmitting(false);
    if (outcome.kind === 'accepted') {
      clear(element);
      setSent(true);
    } else if (outcome.kind === 'invalid') {
      showErrors(outcome.errors);
    } else {
      console.error(FAILED_CONSOLE_MESSAGE);
    }
  }

  return (
    <form
      ref={form}
      className="contact-form"
      method="post"
      action={action}
      noValidate
      onSubmit={submit}
      onChange={({ currentTarget }) => removeCorrected(currentTarget)}
    >
      <p>Every field but the message is required.</p>
      <div className="contact-form-pair">
        <TextField
          required
          id="firstName"
          name="firstName"
          label="First name"
          autoComplete="given-name"
          defaultValue={formResult.values['firstName']}
          error={errors['firstName']}
        />
        <TextField
          required
          id="lastName"
          name="lastName"
          label="Last name"
          autoComplete="family-name"
          defaultValue={formResult.values['lastName']}
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
        defaultValue={formResult.values['email']}
        error={errors['email']}
      />
      <TextField
        required
        id="phone"
        name="phone"
        type="tel"
        label="Phone"
        autoComplete="tel"
        defaultValue={formResult.values['phone']}
        error={errors['phone']}
      />
      <TextArea
        id="message"
        name="message"
        label="Message"
        rows={6}
        defaultValue={formResult.values['message']}
        error={errors['message']}
      />
      <Checkbox
        id="optIn"
        name="optIn"
        value="true"
        required
        label={OPT_IN_LABEL}
        defaultChecked={Boolean(formResult.values['optIn'])}
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

function readSubmission(form: HTMLFormElement): ContactSubmission {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
    phone: text('phone'),
    message: text('message'),
    optIn: data.has('optIn'),
  };
}

/** Empties every field: `reset()` would restore the values that the page was rendered with. */
function clear(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = false;
    else field.value = '';
  }
}

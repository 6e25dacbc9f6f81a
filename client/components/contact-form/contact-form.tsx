import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Checkbox, TextArea, TextField } from '#client/components/field/field.tsx';
import { TimedMessage } from '#client/components/field/timed-message.tsx';
import { fieldErrors, useSubmission } from '#client/components/field/use-submission.ts';
import { useTexts } from '#client/layout/site-context.tsx';
import type { SubmitForm } from '#client/routing/form-action.ts';
import { contactErrors, SENT_MESSAGE_MS } from '#shared/form-rules.ts';
import * as en from '#shared/texts/en.ts';
import './contact-form.css';
import type { ContactSubmission, SentSubmission, SubmissionOutcome } from '#shared/models/submission.ts';
import type { SubmissionApi } from '#shared/site-api.ts';

interface ContactFormProps {
  /** URL that the form posts to without JavaScript. */
  action: string;
  submit: SubmitForm;
  /** Asks for the e-mail address alone. */
  emailOnly?: boolean;
}

/** Renders the contact or the opt-out form: the same fields and rules (specification, sections 4, 5 and 8). */
export function ContactForm({ action, submit, emailOnly }: ContactFormProps) {
  const t = useTexts();
  const submission = useSubmission(submit, action);
  const { form, outcome, values, submitting } = submission;
  const button = useRef<HTMLButtonElement>(null);
  const [search] = useSearchParams();
  const [corrected, setCorrected] = useState<readonly string[]>([]);
  const errors = Object.fromEntries(
    Object.entries(fieldErrors(outcome)).filter(([field]) => !corrected.includes(field)),
  );
  const field = (name: string) => ({
    id: name,
    name,
    defaultValue: values[name],
    error: errors[name],
  });
  const sent = outcome ? outcome.kind === 'accepted' : !submitting && search.get('sent') === '1';

  // The outcome that the document came with: the browser has focused its first error, and the reader may have gone on since.
  const [sentBefore] = useState(outcome);
  useEffect(() => {
    const isFocusFree = outcome !== sentBefore || document.activeElement === document.body;
    if (outcome?.kind === 'invalid' && isFocusFree && form.current) focusFirstError(form.current);
  }, [outcome, sentBefore, form]);

  // Browsers take the focus from a button that becomes disabled.
  useEffect(() => {
    const element = button.current;
    if (!submitting) return;
    return () => {
      if (document.activeElement === document.body) element?.focus({ preventScroll: true });
    };
  }, [submitting]);

  /** Removes the messages of fields that are valid now. Adds none: errors appear on submit only. */
  function removeCorrected(element: HTMLFormElement): void {
    const invalid: Record<string, string> = contactErrors(toContactSubmission(new FormData(element)));
    setCorrected((fields) => [...fields, ...Object.keys(errors).filter((field) => !(field in invalid))]);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setCorrected([]);
    submission.submit();
  }

  return (
    <form
      ref={form}
      className="contact-form"
      method="post"
      action={action}
      noValidate
      onSubmit={onSubmit}
      onChange={({ currentTarget }) => removeCorrected(currentTarget)}
    >
      {!emailOnly && (
        <>
          <p>{t(en.requiredFields)}</p>
          <div className="contact-form-pair">
            <TextField required {...field('firstName')} label={t(en.firstName)} autoComplete="given-name" />
            <TextField required {...field('lastName')} label={t(en.lastName)} autoComplete="family-name" />
          </div>
        </>
      )}
      <TextField required {...field('email')} type="email" label={t(en.email)} autoComplete="email" />
      {!emailOnly && (
        <>
          <TextField required {...field('phone')} type="tel" label={t(en.phone)} autoComplete="tel" />
          <TextArea {...field('message')} label={t(en.message)} rows={6} />
          <Checkbox
            id="optIn"
            name="optIn"
            value="true"
            required
            label={t(en.optIn)}
            defaultChecked={Boolean(values['optIn'])}
            error={errors['optIn']}
          />
        </>
      )}
      <div className="contact-form-foot">
        <button ref={button} type="submit" className="button" disabled={submitting}>
          {t(submitting ? en.submitting : en.submit)}
        </button>
        <p id="sent" role="status" className="contact-form-sent">
          {sent && <TimedMessage ms={SENT_MESSAGE_MS}>{t(en.sent)}</TimedMessage>}
        </p>
      </div>
    </form>
  );
}

/** The label too must be in view, which no browser does for `focus()` alone. */
function focusFirstError(form: HTMLFormElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  invalid?.focus({ preventScroll: true });
  invalid?.closest('.field')?.scrollIntoView({ block: 'nearest' });
}

/** Returns the function that submits the contact or the opt-out form. Only a valid submission is sent. */
export function submitContactForm(
  send: (api: SubmissionApi, submission: SentSubmission) => Promise<SubmissionOutcome>,
): SubmitForm {
  return async (api, fields) => {
    const submission = toContactSubmission(fields);
    const { email, ...others } = contactErrors(submission);
    // The opt-out form may ask for the address alone.
    const isWhole = [...fields.keys()].join() !== 'email';
    const errors = { ...(email && { email }), ...(isWhole && others) };
    if (Object.keys(errors).length > 0) return { kind: 'invalid', errors };
    return send(api, isWhole ? submission : { email: submission.email });
  };
}

/** Returns the submission in a form's fields: empty text for a missing field. */
function toContactSubmission(fields: FormData): ContactSubmission {
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

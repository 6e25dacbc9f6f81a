import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react';
import { TextField } from '#client/components/field/field.tsx';
import { TimedMessage } from '#client/components/field/timed-message.tsx';
import { fieldErrors, useSubmission } from '#client/components/field/use-submission.ts';
import { Phrase } from '#client/components/phrase/phrase.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import { EMAIL_RULE, matchesRule, SUBSCRIBED_MESSAGE_MS } from '#shared/form-rules.ts';
import type { SubmissionOutcome } from '#shared/models/submission.ts';
import * as apiPaths from '#shared/site-api.ts';
import * as en from '#shared/texts/en.ts';
import './newsletter.css';
import type { SubmitForm } from '#client/routing/form-action.ts';

/** Blocks cut, copy and paste (specification, section 5), but not autofill. */
function block(event: ClipboardEvent): void {
  event.preventDefault();
}

interface NewsletterFormProps {
  /** Prefix of element ids: a page may have two of these forms. */
  id: string;
  /** A form post without JavaScript was accepted, and has led back to this page. */
  sent?: boolean;
}

/**
 * Renders the newsletter form: validates the address, submits it, and shows the result (specification, sections 4, 5
 * and 8).
 */
export function NewsletterForm({ id, sent = false }: NewsletterFormProps) {
  const t = useTexts();
  const { form, outcome, values, submitting, submit } = useSubmission(submitSubscription, apiPaths.subscribe);
  const field = useRef<HTMLInputElement>(null);
  /** What was found since the last submission. */
  const [checked, setChecked] = useState<{ error: string | undefined } | null>(null);
  const [changed, setChanged] = useState(false);
  const isKnown = outcome?.kind === 'already-subscribed';
  const { error } = checked ?? { error: fieldErrors(outcome)['email'] };

  function check(text: string): boolean {
    const valid = matchesRule(text, EMAIL_RULE);
    setChecked({ error: valid ? undefined : en.invalidNewsletterEmail });
    return valid;
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const input = field.current;
    if (!input) return;
    if (!check(input.value)) {
      input.focus();
      return;
    }
    setChecked(null);
    setChanged(false);
    submit();
  }

  return (
    <form
      ref={form}
      className="newsletter-form"
      method="post"
      action={apiPaths.subscribe}
      noValidate
      onSubmit={onSubmit}
    >
      <TextField
        ref={field}
        id={`${id}-email`}
        name="email"
        type="email"
        label={t(en.email)}
        autoComplete="email"
        required
        defaultValue={values['email']}
        error={error}
        possibleError={t(en.invalidNewsletterEmail)}
        onChange={({ target }) => {
          check(target.value);
          setChanged(true);
        }}
        onBlur={({ target }) => check(target.value)}
        onCut={block}
        onCopy={block}
        onPaste={block}
      />
      <button type="submit" className="button" aria-disabled={submitting}>
        {t(en.submit)}
      </button>
      {/* The browser focuses it in the document that a form post without scripts gets; React never does. */}
      <p
        id={sent ? 'sent' : undefined}
        className="newsletter-message"
        role="status"
        {...(isKnown && { tabIndex: -1, autoFocus: true })}
      >
        <Message kind={outcome?.kind ?? (sent && !submitting ? 'accepted' : null)} changed={changed} />
      </p>
    </form>
  );
}

interface MessageProps {
  kind: SubmissionOutcome['kind'] | null;
  /** Whether the address was edited since. */
  changed: boolean;
}

function Message({ kind, changed }: MessageProps) {
  const t = useTexts();
  if (kind === 'accepted')
    return (
      <TimedMessage ms={SUBSCRIBED_MESSAGE_MS} after={<Consent />}>
        {t(en.subscribed)}
      </TimedMessage>
    );
  return kind === 'already-subscribed' && !changed ? <span>{t(en.alreadySubscribed)}</span> : <Consent />;
}

function Consent() {
  const t = useTexts();
  return (
    <Phrase text={t(en.consent)}>
      <a href="/privacy-policy">{t(en.privacyPolicy)}</a>
    </Phrase>
  );
}

/** Submits the newsletter form. */
export const submitSubscription: SubmitForm = (api, fields) =>
  api.subscribe(String(fields.get('email') ?? ''));

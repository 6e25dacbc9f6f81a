import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useFormResult } from '#client/components/field/form-result.tsx';
import { useSite } from '#client/layout/site-context.tsx';
import {
  ALREADY_SUBSCRIBED_MESSAGE,
  CONSENT_LINK_TEXT,
  CONSENT_TEXT,
  EMAIL_RULE,
  matchesRule,
  NEWSLETTER_EMAIL_MESSAGE,
  SUBSCRIBED_MESSAGE,
  SUBSCRIBED_MESSAGE_MS,
} from '#shared/form-validation.ts';
import { TextField } from '../field/field.tsx';
import './newsletter.css';

const ACTION = '/api/subscriptions';

/** Blocks cut, copy and paste (specification, section 5), but not autofill. */
function block(event: ClipboardEvent): void {
  event.preventDefault();
}

interface NewsletterFormProps {
  /** Prefix of element ids: a page may have two of these forms. */
  id: string;
  /** True on the Subscribe page: a form submission without JavaScript returns to it, and its result shows here. */
  isPage?: boolean;
}

/**
 * Renders the newsletter form: validates the address, submits it, and shows the result (specification, sections 4, 5
 * and 8).
 */
export function NewsletterForm({ id, isPage = false }: NewsletterFormProps) {
  const { api } = useSite();
  const formResult = useFormResult(isPage ? ACTION : null);
  const [search] = useSearchParams();
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | undefined>(formResult.errors['email']);
  const [message, setMessage] = useState<string | null>(
    isPage && search.get('sent') === '1' ? SUBSCRIBED_MESSAGE : formResult.message,
  );
  const [submitting, setSubmitting] = useState(false);

  useEffect(() => {
    if (message !== SUBSCRIBED_MESSAGE) return;
    const timer = setTimeout(() => setMessage(null), SUBSCRIBED_MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);

  function check(text: string): boolean {
    const valid = matchesRule(text, EMAIL_RULE);
    setError(valid ? undefined : NEWSLETTER_EMAIL_MESSAGE);
    return valid;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const input = field.current;
    if (!input || submitting) return;
    if (!check(input.value)) {
      input.focus();
      return;
    }
    setMessage(null);
    setSubmitting(true);
    const outcome = await api.subscribe(input.value);
    setSubmitting(false);
    if (outcome.kind === 'accepted') {
      input.value = '';
      setMessage(SUBSCRIBED_MESSAGE);
    } else if (outcome.kind === 'already-subscribed') {
      setMessage(ALREADY_SUBSCRIBED_MESSAGE);
    } else if (outcome.kind === 'invalid') {
      setError(outcome.errors['email'] ?? NEWSLETTER_EMAIL_MESSAGE);
    } else {
      console.error('Failed to send the subscription.');
    }
  }

  return (
    <form className="newsletter-form" method="post" action={ACTION} noValidate onSubmit={submit}>
      <TextField
        ref={field}
        id={`${id}-email`}
        name="email"
        type="email"
        label="Email"
        autoComplete="email"
        required
        defaultValue={formResult.values['email']}
        error={error}
        onChange={({ target }) => {
          check(target.value);
          if (message === ALREADY_SUBSCRIBED_MESSAGE) setMessage(null);
        }}
        onBlur={({ target }) => check(target.value)}
        onCut={block}
        onCopy={block}
        onPaste={block}
      />
      <button type="submit" className="button" aria-disabled={submitting}>
        Submit
      </button>
      <p className="newsletter-message" role="status">
        {message ?? <Consent />}
      </p>
    </form>
  );
}

function Consent() {
  return (
    <>
      {CONSENT_TEXT.slice(0, -CONSENT_LINK_TEXT.length)}
      <a href="/privacy-policy">{CONSENT_LINK_TEXT}</a>
    </>
  );
}

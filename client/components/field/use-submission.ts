import { useState } from 'react';
import { useActionData } from 'react-router';
import { useSite } from '#client/layout/site-context.tsx';
import type { FormResult, SubmitForm } from '#client/routing/form-action.ts';
import type { SubmissionOutcome } from '#shared/models/submission.ts';
import { forgetDraft } from './use-draft.ts';

interface Submission {
  /** Outcome of the last submission; null before the first, and while one is on its way. */
  outcome: SubmissionOutcome | null;
  /** Fields of a form post without scripts, which the page shows again. */
  values: Record<string, string>;
  submitting: boolean;
  /** Submits a form, unless a submission is on its way. */
  submit: (form: HTMLFormElement) => void;
}

/**
 * Returns the state of a form: first the page's action data, then that of its submissions here by the same function.
 * `name`: of its draft, which is forgotten once it was sent, also where the reader has left the page meanwhile.
 */
export function useSubmission(submitForm: SubmitForm, name: string): Submission {
  const { api, drafts } = useSite();
  const posted = useActionData<FormResult>();
  const [outcome, setOutcome] = useState(posted?.outcome ?? null);
  // Neither `useActionState` nor a transition: React would show no other page before an asynchronous one has ended.
  const [submitting, setSubmitting] = useState(false);

  async function submit(form: HTMLFormElement): Promise<void> {
    if (submitting || !api) return;
    setSubmitting(true);
    const result = await submitForm(api, new FormData(form));
    if (result.kind === 'accepted') forgetDraft(drafts, name);
    setOutcome(result);
    setSubmitting(false);
  }

  return {
    outcome: submitting ? null : outcome,
    values: posted?.values ?? {},
    submitting,
    submit: (form) => void submit(form),
  };
}

/** Returns the error message of each invalid field. */
export function fieldErrors(outcome: SubmissionOutcome | null): Record<string, string> {
  return outcome?.kind === 'invalid' ? outcome.errors : {};
}

import { useEffect, useRef, useState } from 'react';
import { useActionData } from 'react-router';
import { useSite } from '#client/layout/site-context.tsx';
import type { FormResult, SubmitForm } from '#client/routing/form-action.ts';
import type { SubmissionOutcome } from '#shared/models/submission.ts';
import { forgetDraft, useDraft } from './use-draft.ts';

/**
 * Returns the state of a form: first the page's action data, then that of its submissions here by the same function. It is
 * empty once it was accepted. `name`: of its draft, which is forgotten then, also where the reader has left the page meanwhile.
 */
export function useSubmission(submitForm: SubmitForm, name: string) {
  const { api } = useSite();
  // Kept: the router forgets it at the next navigation, also at one within the page.
  const [posted] = useState(useActionData<FormResult>());
  const [outcome, setOutcome] = useState(posted?.outcome ?? null);
  // Neither `useActionState` nor a transition: React would show no other page before an asynchronous one has ended.
  const [submitting, setSubmitting] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useDraft(form, name);

  useEffect(() => {
    if (outcome?.kind === 'accepted') form.current?.reset();
  }, [outcome]);

  useEffect(() => {
    if (posted) logFailure(posted.outcome);
  }, [posted]);

  async function submit(): Promise<void> {
    if (submitting || !api || !form.current) return;
    setSubmitting(true);
    const result = await submitForm(api, new FormData(form.current));
    if (result.kind === 'accepted') forgetDraft(name);
    logFailure(result);
    setOutcome(result);
    setSubmitting(false);
  }

  return {
    /** For the `form` element. */
    form,
    /** Outcome of the last submission; null before the first, and while one is on its way. */
    outcome: submitting ? null : outcome,
    /** Fields of a form post without scripts, which the page shows again until they were accepted. */
    values: outcome?.kind === 'accepted' ? {} : (posted?.values ?? {}),
    submitting,
    /** Submits the form, unless a submission is on its way. */
    submit: () => void submit(),
  };
}

/** Returns the error message of each invalid field. */
export function fieldErrors(outcome: SubmissionOutcome | null): Record<string, string> {
  return outcome?.kind === 'invalid' ? outcome.errors : {};
}

/** Tells the console, and nobody else (specification, section 8). */
function logFailure({ kind }: SubmissionOutcome): void {
  if (kind === 'failed') console.error('Failed to submit data to the API.');
}

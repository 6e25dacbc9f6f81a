import { startTransition, useActionState } from 'react';
import { useActionData } from 'react-router';
import { useSite } from '#client/layout/site-context.tsx';
import type { FormResult, SubmitForm } from '#client/routing/form-action.ts';
import type { SubmissionOutcome } from '#shared/models/submission.ts';

interface Submission {
  /** Outcome of the last submission; null before the first, and while one is on its way. */
  outcome: SubmissionOutcome | null;
  /** Fields of a form post without scripts, which the page shows again. */
  values: Record<string, string>;
  submitting: boolean;
  /** Submits a form, unless a submission is on its way. */
  submit: (form: HTMLFormElement) => void;
}

/** Returns the state of a form: first the page's action data, then that of its submissions here by the same function. */
export function useSubmission(submitForm: SubmitForm): Submission {
  const { api } = useSite();
  const posted = useActionData<FormResult>();
  const [outcome, dispatch, submitting] = useActionState(
    (last: SubmissionOutcome | null, fields: FormData) => (api ? submitForm(api, fields) : last),
    posted?.outcome ?? null,
  );
  return {
    outcome: submitting ? null : outcome,
    values: posted?.values ?? {},
    submitting,
    submit(form) {
      if (!submitting) startTransition(() => dispatch(new FormData(form)));
    },
  };
}

/** Returns the error message of each invalid field. */
export function fieldErrors(outcome: SubmissionOutcome | null): Record<string, string> {
  return outcome?.kind === 'invalid' ? outcome.errors : {};
}

import { type ActionFunction, data } from 'react-router';
import { submissionApiContext } from '#client/api/page-loader.ts';
import type { SubmissionOutcome } from '#shared/models/submission.ts';
import type { SubmissionApi } from '#shared/site-api.ts';

/** Submits the fields of a form: in the browser, and on the server where the form was posted without scripts. */
export type SubmitForm = (api: SubmissionApi, fields: FormData) => Promise<SubmissionOutcome>;

/** Action data of a page with a form. */
export interface FormResult {
  outcome: SubmissionOutcome;
  /** The submitted text by field: the page shows it again. */
  values: Record<string, string>;
}

/** Returns the text of each field of a form. */
export function textsOf(fields: FormData): Record<string, string> {
  return Object.fromEntries([...fields].map(([field, value]) => [field, String(value)]));
}

const STATUS = { accepted: 200, invalid: 400, 'already-subscribed': 409 } as const;

/** Returns the action of a page with a form, whose data is a `FormResult`. */
export function formAction(submit: SubmitForm): ActionFunction {
  return async ({ request, context }) => {
    const fields = await request.formData();
    const outcome = await submit(context.get(submissionApiContext), fields);
    const values = textsOf(fields);
    const status = outcome.kind === 'failed' ? outcome.status : STATUS[outcome.kind];
    return data({ outcome, values } satisfies FormResult, { status });
  };
}

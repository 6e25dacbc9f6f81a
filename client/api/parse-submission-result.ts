import type { SubmissionOutcome } from '#shared/models/submission.ts';
import { isRecord, parseProblemDetails } from './parse-problem-details.ts';

/** Returns the outcome of a submission. `response`: null where the network failed. */
export async function parseSubmissionResult(response: Response | null): Promise<SubmissionOutcome> {
  if (response?.ok) return { kind: 'accepted' };
  if (response?.status === 409) return { kind: 'already-subscribed' };
  if (response?.status === 400) {
    const { errors } = await parseProblemDetails(response);
    const entries = isRecord(errors) ? Object.entries(errors) : [];
    return {
      kind: 'invalid',
      errors: Object.fromEntries(entries.map(([field, text]) => [field, String(text)])),
    };
  }
  return { kind: 'failed', status: response?.status ?? 0 };
}

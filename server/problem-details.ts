import { STATUS_CODES } from 'node:http';

/** Media type of problem details (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** `Content-Type` of a response that is a problem. */
export const PROBLEM_CONTENT_TYPE = `${PROBLEM_TYPE}; charset=utf-8`;

/** A problem (RFC 9457). `errors`: a message per field, on 400. `goTo`: where the specification sends the reader instead. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: Record<string, string>;
  goTo?: string;
}

/** Reason phrases of RFC 9110 where Node has older ones. */
const RENAMED_PHRASES: Record<number, string> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** Returns the title of a problem of type `about:blank`: the status's reason phrase (RFC 9457, 4.2.1). */
export function titleOf(status: number): string {
  return RENAMED_PHRASES[status] ?? STATUS_CODES[status] ?? 'Error';
}

/** Builds a problem. `detail`: text that a reader may see. */
export function problem(
  status: number,
  detail: string,
  more: Pick<Problem, 'errors' | 'goTo'> = {},
): Problem {
  return { type: 'about:blank', title: titleOf(status), status, detail, ...more };
}

import { STATUS_CODES } from 'node:http';
import { SiteError } from '#shared/site-error.ts';

/** RFC 9457. `errors` holds one message per field on 400; `goTo` where the specification sends the reader elsewhere. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: Record<string, string>;
  goTo?: string;
}

/** What a caller did wrong. Its message may be shown. */
export class BadRequest extends Error {
  readonly status: 400 | 403 | 405 | 409 | 413 | 415;
  readonly errors: Record<string, string> | null;

  constructor(
    detail: string,
    errors: Record<string, string> | null = null,
    status: BadRequest['status'] = 400,
  ) {
    super(detail);
    this.name = 'BadRequest';
    this.status = status;
    this.errors = errors;
  }
}

/** The upstream did not take what a reader sent; it is kept and delivered later. */
export class DeliveryFailed extends Error {
  constructor() {
    super('Failed to submit data to the API.');
    this.name = 'DeliveryFailed';
  }
}

/** A submission could neither be kept nor delivered. */
export class OutboxUnavailable extends Error {
  constructor(cause: unknown) {
    super('The submission could neither be kept nor delivered.', { cause });
    this.name = 'OutboxUnavailable';
  }
}

/** A reader asks more often than anybody reads. */
export class TooManyRequests extends Error {
  constructor() {
    super('Too many requests.');
    this.name = 'TooManyRequests';
  }
}

/** The server has more to do than it can: what is not cached has to wait. */
export class Overloaded extends Error {
  constructor() {
    super('The server is overloaded.');
    this.name = 'Overloaded';
  }
}

/** Phrases of RFC 9110 where Node has those of an earlier RFC. */
const RENAMED_PHRASES: Record<number, string> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** Returns the title of a problem of type `about:blank`: the status's phrase (RFC 9457, 4.2.1). */
export function titleOf(status: number): string {
  return RENAMED_PHRASES[status] ?? STATUS_CODES[status] ?? 'Error';
}

const OVERLOADED = 'There are more readers than we can serve just now. Please try again in a moment.';
const TOO_MANY = 'You have asked too often. Please try again in a minute.';
const UNAVAILABLE = 'This could not be taken just now. Please try again in a moment.';
const INTERNAL = 'Something went wrong on our side.';

/** Builds a problem of a status, in words a reader may see. */
export function problem(
  status: number,
  detail: string,
  more: Pick<Problem, 'errors' | 'goTo'> = {},
): Problem {
  return { type: 'about:blank', title: titleOf(status), status, detail, ...more };
}

/** Fastify's own errors: a status below 500, words that are ours. */
const FRAMEWORK_DETAILS: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 16 KiB.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This type of body is not accepted here.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body does not have the length it announced.',
  FST_ERR_BAD_URL: 'The address is not valid.',
};

function statusCodeOf(error: unknown): number | null {
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** The one place where an error becomes a status. Nothing of an unknown error's own text gets out. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SiteError) {
    return problem(error.status, error.message, error.goTo === null ? {} : { goTo: error.goTo });
  }
  if (error instanceof BadRequest)
    return problem(error.status, error.message, error.errors ? { errors: error.errors } : {});
  if (error instanceof OutboxUnavailable) return problem(503, UNAVAILABLE);
  if (error instanceof TooManyRequests) return problem(429, TOO_MANY);
  if (error instanceof Overloaded) return problem(503, OVERLOADED);
  if (error instanceof DeliveryFailed) return problem(502, error.message);
  const status = statusCodeOf(error);
  if (status === null) return problem(500, INTERNAL);
  return problem(status, FRAMEWORK_DETAILS[codeOf(error)] ?? titleOf(status));
}

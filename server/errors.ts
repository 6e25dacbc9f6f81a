import { SiteError } from '#shared/site-error.ts';
import { type Problem, problem, titleOf } from './problem-details.ts';

/** A fault of the client. Its message is shown. */
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

/** A submission could neither be stored nor delivered. */
export class OutboxUnavailable extends Error {
  constructor(cause: unknown) {
    super('The submission could neither be stored nor delivered.', { cause });
    this.name = 'OutboxUnavailable';
  }
}

/** The upstream did not accept a submission; it is stored and delivered later. */
export class DeliveryFailed extends Error {
  constructor() {
    super('Failed to submit data to the API.');
    this.name = 'DeliveryFailed';
  }
}

/** A client has exceeded its rate limit. */
export class TooManyRequests extends Error {
  constructor() {
    super('Too many requests.');
    this.name = 'TooManyRequests';
  }
}

/** The server is overloaded and sheds what is not cached. */
export class Overloaded extends Error {
  constructor() {
    super('The server is overloaded.');
    this.name = 'Overloaded';
  }
}

const OVERLOADED = 'There are more readers than we can serve just now. Please try again in a moment.';
const TOO_MANY = 'You have asked too often. Please try again in a minute.';
const UNAVAILABLE = 'This could not be taken just now. Please try again in a moment.';
const INTERNAL = 'Something went wrong on our side.';

/** Details of Fastify's own errors with a status below 500, by their code. */
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

/** Maps an error to a problem: the only place where it is done. The text of an unknown error is never shown. */
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

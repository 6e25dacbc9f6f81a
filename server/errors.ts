import * as en from '#shared/texts/en.ts';

/** An error with its HTTP status. A client may see its message. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.name = new.target.name;
  }
}

/**
 * Why a load brought no value; the failure cache holds thousands. Without the frames of its stack: V8 keeps them as functions,
 * with all their variables, until somebody reads them.
 */
export class LoadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
    this.stack = `${this.name}: ${message}`;
  }
}

/** A fault of the client. `errors`: a message for each field that is not valid. */
export class BadRequest extends HttpError {
  readonly errors: Record<string, string> | null;

  constructor(
    detail: string,
    errors: Record<string, string> | null = null,
    status: 400 | 403 | 405 | 409 = 400,
  ) {
    super(status, detail);
    this.errors = errors;
  }
}

/** There is nothing at the request's target. */
export class NotFound extends HttpError {
  constructor() {
    super(404, en.nothingAtAddress);
  }
}

/** What was at the request's target is gone for good. */
export class Gone extends HttpError {
  constructor() {
    super(410, en.gone);
  }
}

/** A submission could neither be stored nor delivered. */
export class OutboxUnavailable extends HttpError {
  constructor(cause: unknown) {
    super(503, en.notTaken, { cause });
  }
}

/** The upstream did not accept a submission; it is stored and delivered later. */
export class DeliveryFailed extends HttpError {
  constructor() {
    super(502, 'Failed to submit data to the API.');
  }
}

/** What a client has, by its `If-Match`, is not what is here. */
export class PreconditionFailed extends HttpError {
  constructor() {
    super(412, 'There is another version at this address.');
  }
}

/** A client has exceeded its rate limit. */
export class TooManyRequests extends HttpError {
  constructor() {
    super(429, en.askedTooOften);
  }
}

/** The server is overloaded and sheds what is not cached. */
export class Overloaded extends HttpError {
  constructor() {
    super(503, en.overloaded);
  }
}

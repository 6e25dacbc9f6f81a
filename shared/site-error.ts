/**
 * Why a page's subject cannot be shown.
 * `not-found`: it does not exist (404). `unavailable`: it could not be had now (503).
 */
export type SiteErrorKind = 'not-found' | 'unavailable';

/** The only error that leaves a `SiteApi`. Its message may be shown to a reader. */
export class SiteError extends Error {
  readonly kind: SiteErrorKind;
  /** Where the specification sends the reader instead of showing the error, if it does. */
  readonly goTo: '/404' | null;

  constructor(kind: SiteErrorKind, message: string, goTo: '/404' | null = null) {
    super(message);
    this.name = 'SiteError';
    this.kind = kind;
    this.goTo = goTo;
  }

  /** The server and the bundle that it renders with each load this class: an error of the one is one of the other's. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      typeof value === 'object' &&
      value !== null &&
      'name' in value &&
      value.name === 'SiteError' &&
      'kind' in value
    );
  }

  /** The HTTP status this error is answered with when the reader is not sent elsewhere. */
  get status(): 404 | 503 {
    return this.kind === 'not-found' ? 404 : 503;
  }
}

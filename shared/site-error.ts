/**
 * `not-found`: the primary resource does not exist (404). `unavailable`: it failed to load (503). `unreachable`: the
 * browser got no response from the site.
 */
type SiteErrorKind = 'not-found' | 'unavailable' | 'unreachable';

/** The only error that a `SiteApi` rejects with. Its message may be shown to readers. */
export class SiteError extends Error {
  readonly kind: SiteErrorKind;
  /** Redirect target in place of an error page, where the specification has one. */
  readonly goTo: '/404' | null;

  constructor(kind: SiteErrorKind, message: string, goTo: '/404' | null = null) {
    super(message);
    this.name = 'SiteError';
    this.kind = kind;
    this.goTo = goTo;
  }

  /** By properties, because the server and its render bundle each load this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      typeof value === 'object' &&
      value !== null &&
      'name' in value &&
      value.name === 'SiteError' &&
      'kind' in value
    );
  }

  /** HTTP status of the error page. */
  get status(): 404 | 503 {
    return this.kind === 'not-found' ? 404 : 503;
  }
}

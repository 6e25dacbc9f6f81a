/**
 * Why an upstream call gave nothing to use.
 * `status`: answered outside 2xx. `timeout`: its deadline passed. `network`: no or a broken connection, a cut body.
 * `too-large`: past the cap. `not-json`: no JSON, or nested too deep. `shape`: JSON of another shape than specified.
 * `breaker-open`, `overloaded`: not even tried.
 */
export type UpstreamErrorKind =
  | 'status'
  | 'timeout'
  | 'network'
  | 'too-large'
  | 'not-json'
  | 'shape'
  | 'breaker-open'
  | 'overloaded';

/** The upstream's own trouble, statuses by which it refuses work; any other 4xx and 501 is an answer. */
const FAILED_STATUSES = new Set([403, 408, 425, 429]);

/** Words that the specification has for two of them (section 5, Search response). */
const WORDS: Partial<Record<UpstreamErrorKind, string>> = {
  status: 'Network response was not ok',
  shape: 'Invalid data structure',
};

/** The only error a CMS call rejects with. Its message names the call and the kind: no body, no address, no term. */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
  /** HTTP status, known only where `kind` is `status`. */
  readonly status: number | null;
  /** Name of the call, as `cms-paths.ts` gives it. */
  readonly call: string;

  constructor(kind: UpstreamErrorKind, call: string, detail: { status?: number; reason?: string } = {}) {
    const about = detail.status ?? detail.reason;
    super(`upstream call ${call}: ${WORDS[kind] ?? kind}${about === undefined ? '' : ` (${about})`}`);
    this.name = 'UpstreamError';
    this.kind = kind;
    this.status = detail.status ?? null;
    this.call = call;
  }
}

/** Whether an error speaks of the upstream's health. 404, 501 and most other 4xx are answers, not failures. */
export function isUpstreamFailure(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return true;
  if (error.kind === 'overloaded' || error.kind === 'breaker-open' || error.kind === 'shape') return false;
  if (error.status === null) return true;
  if (error.status === 501) return false;
  return error.status >= 500 || error.status < 400 || FAILED_STATUSES.has(error.status);
}

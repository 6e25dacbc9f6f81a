import { LoadError } from '#server/errors.ts';
import { isTransientStatus } from '#server/outgoing-requests.ts';
import { NotJson, TooLarge } from './response-body.ts';

/**
 * Why a call brought nothing, as the label `outcome` of `upstream_requests_total` has it.
 * `not-found`: the upstream says in JSON that it does not exist (404, 410), which is no failure. `status`: any other response
 * outside 2xx. `timeout`: it took too long. `network`: no or a broken connection, a cut body. `too-large`: past the cap.
 * `not-json`: no JSON, or nested too deep. `shape`: JSON of another shape than specified. `breaker-open`, `overloaded`: not
 * sent.
 */
export const UPSTREAM_ERROR_KINDS = [
  'not-found',
  'status',
  'timeout',
  'network',
  'too-large',
  'not-json',
  'shape',
  'breaker-open',
  'overloaded',
] as const;

export type UpstreamErrorKind = (typeof UPSTREAM_ERROR_KINDS)[number];

/** The specification's messages for two statuses (section 5, Search response). */
const WORDS: Partial<Record<UpstreamErrorKind, string>> = {
  status: 'Network response was not ok',
  'not-found': 'Network response was not ok',
  shape: 'Invalid data structure',
};

/** The only error that a CMS call rejects with. Its message has the call and the kind: no body, no URL, no search term. */
export class UpstreamError extends LoadError {
  readonly kind: UpstreamErrorKind;
  /** HTTP status; null unless `kind` is `status` or `not-found`. */
  readonly status: number | null;
  /** Name of the call, as `cms-calls.ts` gives it. */
  readonly call: string;
  /** What was wrong, without content: field and rule of a shape, code of a network error; null where the kind says it all. */
  readonly reason: string | null;

  constructor(kind: UpstreamErrorKind, call: string, detail: { status?: number; reason?: string } = {}) {
    const about = detail.status ?? detail.reason;
    const words = `${WORDS[kind] ?? kind}${about === undefined ? '' : ` (${about})`}`;
    super(`upstream call ${call}: ${words}`);
    this.kind = kind;
    this.status = detail.status ?? null;
    this.call = call;
    this.reason = detail.reason ?? null;
  }
}

const NO_FAILURES = new Set<UpstreamErrorKind>(['not-found', 'overloaded', 'breaker-open', 'shape']);

/**
 * Returns whether an error counts as a failure of the upstream: also a 404 or 410 not in JSON, which some proxy sent. A
 * status about the request, and 501, is a response.
 */
export function isUpstreamFailure(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return true;
  if (NO_FAILURES.has(error.kind)) return false;
  if (error.status === null) return true;
  if (error.status === 501) return false;
  return error.status < 400 || isTransientStatus(error.status, true);
}

/** Turns whatever a call failed with into an `UpstreamError`. `signal`: the call's own timeout. */
export function upstreamErrorOf(cause: unknown, call: string, signal: AbortSignal): UpstreamError {
  if (cause instanceof UpstreamError) return cause;
  if (cause instanceof TooLarge) return new UpstreamError('too-large', call);
  if (cause instanceof NotJson) return new UpstreamError('not-json', call, { reason: cause.message });
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  if (signal.aborted || code === 'UND_ERR_CONNECT_TIMEOUT') return new UpstreamError('timeout', call);
  return new UpstreamError('network', call, { reason: code });
}

/** Returns whether a retry makes sense: not after a status, nor where the upstream would send as much again. */
export function isWorthRetrying({ kind, status }: UpstreamError): boolean {
  if (kind === 'status') return status !== null && status >= 500 && status !== 501;
  return kind === 'network' || kind === 'timeout' || kind === 'not-json';
}

import { NotJson } from './parse-json.ts';
import { TooLarge, UnknownEncoding } from './response-body.ts';
import { UpstreamError } from './upstream-error.ts';

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);
const TOO_LARGE_CODES = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE']);

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
}

/** Turns whatever a call failed with into an `UpstreamError`. `signal`: the call's own timeout. */
export function upstreamErrorOf(cause: unknown, call: string, signal: AbortSignal): UpstreamError {
  if (cause instanceof UpstreamError) return cause;
  if (cause instanceof TooLarge) return new UpstreamError('too-large', call);
  if (cause instanceof NotJson || cause instanceof UnknownEncoding) {
    return new UpstreamError('not-json', call, { reason: cause.message });
  }
  const code = codeOf(cause);
  if (TOO_LARGE_CODES.has(code)) return new UpstreamError('too-large', call);
  if (signal.aborted || TIMEOUT_CODES.has(code)) return new UpstreamError('timeout', call);
  return new UpstreamError('network', call, { reason: code });
}

/** Returns whether a retry makes sense: not after a status, nor where the upstream would send as much again. */
export function isWorthRetrying({ kind, status }: UpstreamError): boolean {
  if (kind === 'status') return status !== null && status >= 500 && status !== 501;
  return kind === 'network' || kind === 'timeout' || kind === 'not-json';
}

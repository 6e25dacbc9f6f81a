import { handleWhen, retry } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { CALLS_OF_ONE_THING, type CmsPath } from '#server/cms/cms-calls.ts';
import {
  createAgent,
  type ForwardProxies,
  isTransientStatus,
  NO_PROXIES,
  USER_AGENT,
} from '#server/outgoing-requests.ts';
import { after, type Clock, createLineCounter } from '#server/time.ts';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';
import { BREAKER_RULE, BreakerOpen, createCircuitBreaker } from './circuit-breaker.ts';
import { createConcurrencyLimit, type TakePermit } from './concurrency-limit.ts';
import {
  type BodyComparison,
  drain,
  isJsonResponse,
  parseJson,
  readBody,
  Unchanged,
} from './response-body.ts';
import { isUpstreamFailure, isWorthRetrying, UpstreamError, upstreamErrorOf } from './upstream-error.ts';

/** A finished attempt, for metrics. `outcome`: `ok` or the kind of the error; `ms`: its duration. */
export interface CallRecord {
  call: string;
  outcome: string;
  ms: number;
  status: number | null;
  /** Of a failure, where its kind does not say it all. */
  reason: string | null;
}

export interface CmsClientOptions {
  /** API_HOST: `http:` or `https:` base URL, with or without a path. */
  origin: string;
  /** API_AUTHORIZATION: value of the `Authorization` header of each call; null for none. */
  authorization?: string | null;
  /** Timeout of one call: waiting for its turn, connecting, headers, body and retries together. */
  timeoutMs: number;
  logger: { warn(fields: object, message: string): void };
  clock: Clock;
  proxies?: ForwardProxies;
  tracing?: Pick<Tracing, 'child' | 'headers'>;
  onCall?: (record: CallRecord) => void;
}

export interface GetOptions<T> {
  call: string;
  /** Returns what the JSON says. Throws an `UpstreamError` of the kind `shape` where it has another shape. */
  parse: (json: unknown) => T;
  /** True for a cold read that a page waits for: retries within the timeout, while the circuit breaker is closed. */
  retry?: boolean;
  /** Compares the body with an earlier one: `get` rejects with `Unchanged` for the same one, and does not parse it. */
  comparison?: BodyComparison | undefined;
  /** True for a call that an upstream may not have: whatever says so is `not-found`, which is no failure. */
  isOptional?: boolean;
}

/** The upstream API over HTTP. Rejects with nothing but `UpstreamError`, and `Unchanged` where bodies are compared. */
export type CmsClient = ReturnType<typeof createCmsClient>;

/** Size limit of a body, decompressed. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Connections, and so calls in flight. */
const MAX_IN_FLIGHT = 64;
/** To connect takes this long at most, in milliseconds, or this share of a deadline that is longer than the default. */
const CONNECT_MS = 500;
const CONNECT_SHARE = 1 / 6;
/** Where three of ten calls fail at random, with three attempts at least 97 of 100 succeed (`docs/decisions/0002`). */
const MAX_RETRIES = 2;
/**
 * Posts that hang must leave room for reads, and those of one endpoint for others: views, which memory and the queues send 16
 * at once each, are 16 together here.
 */
const MAX_POSTS_IN_FLIGHT = 32;
const MAX_ENDPOINT_POSTS_IN_FLIGHT = 16;
const MAX_WAITING = 1024;
/**
 * How long calls wait for the probe of a half-open circuit breaker (ms). Without it, whichever call of a page comes first
 * would be the probe, and the page itself be rejected although the upstream is back.
 */
const PROBE_WAIT_MS = 200;
/** Statuses by which the upstream says that a resource does not exist, or not any more (RFC 9110, 15.5.11). */
const ABSENT = new Set([404, 410]);
/** Statuses by which an upstream says that it has no such call, also where the body is a page. */
const NO_SUCH_CALL = new Set([...ABSENT, 400, 405, 501]);
const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip, br',
  'user-agent': USER_AGENT,
};

interface Sent<T> {
  method: 'GET' | 'POST';
  path: CmsPath;
  headers?: object;
  body?: string | null;
  isFailure: (status: number) => boolean;
  isOptional?: boolean;
  read: (response: Dispatcher.ResponseData, signal: AbortSignal) => Promise<T>;
}

/**
 * Calls with a circuit breaker each: readers choose what is searched for, and a page asks for another author or other related
 * posts each time, which it can do without. Failures of these say nothing of a page's primary resource.
 */
const CALLS_APART: ReadonlySet<string> = new Set(['post.search', 'author', 'post.asidetopic']);
/** Name of the circuit breaker of all other reads. */
const READS = 'reads';

/** What is read of a body that is the same as before. */
const SAME = Symbol('same body');

function isOk(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Makes a client of one upstream, with connections, circuit breakers and concurrency limits of its own. Throws when `origin` is no URL. */
export function createCmsClient(options: CmsClientOptions) {
  const { timeoutMs, logger, clock, onCall, authorization = null, tracing = NO_TRACING } = options;
  const { origin, hostname, pathname } = new URL(options.origin);
  const basePath = pathname.replace(/\/+$/, '');
  const ownHeaders = authorization === null ? HEADERS : { ...HEADERS, authorization };
  let isClosed = false;
  const warn: CmsClientOptions['logger']['warn'] = (fields, message) => {
    if (!isClosed) logger.warn(fields, message);
  };
  const countOfLine = createLineCounter(clock);
  const dispatcher = createAgent(
    {
      connect: { timeout: connectTimeoutMs(timeoutMs) },
      // A response counts until the deadline of its call, whose signal ends it.
      headersTimeout: 0,
      bodyTimeout: 0,
      connections: MAX_IN_FLIGHT,
      pipelining: 1,
    },
    options.proxies ?? NO_PROXIES,
  );
  const limit = createConcurrencyLimit(MAX_IN_FLIGHT, MAX_WAITING);
  const postLimit = createConcurrencyLimit(MAX_POSTS_IN_FLIGHT, MAX_WAITING);
  /** By operation. */
  const postLimits = new LRUCache<string, TakePermit>({
    max: 100,
    memoMethod: () => createConcurrencyLimit(MAX_ENDPOINT_POSTS_IN_FLIGHT, MAX_WAITING),
  });
  const breakers = new LRUCache({ max: 100, memoMethod: createBreaker });

  function createBreaker(of: string) {
    return createCircuitBreaker({
      ...BREAKER_RULE,
      probeWaitMs: PROBE_WAIT_MS,
      clock,
      isFailure: isUpstreamFailure,
      onChange: (state) => warn({ breaker: state, of }, 'upstream circuit breaker changed'),
    });
  }

  /** Makes one attempt, in a span, and reports it. Rejects with nothing but `UpstreamError`. */
  async function attempt<T>(
    call: string,
    signal: AbortSignal,
    { method, path, headers, body = null, isFailure, isOptional = false, read }: Sent<T>,
  ): Promise<{ status: number; value: T }> {
    const start = clock.monotonic();
    // The operation, not its path, which may hold what a reader has typed.
    const attributes = {
      'http.request.method': method,
      'server.address': hostname,
      'upstream.operation': call,
    };
    const span = { kind: 'client', attributes } as const;
    try {
      const result = await tracing.child(`${method} ${call}`, span, async ({ setAttributes }) => {
        const response = await dispatcher.request({
          origin,
          path: basePath + path,
          method,
          headers: { ...ownHeaders, ...tracing.headers(), ...headers },
          body,
          signal,
        });
        const status = response.statusCode;
        setAttributes({ 'http.response.status_code': status });
        if (!isFailure(status)) return { status, value: await read(response, signal) };
        const isAbsent = isOptional
          ? NO_SUCH_CALL.has(status)
          : ABSENT.has(status) && (await isJsonResponse(response));
        await drain(response.body, signal);
        throw new UpstreamError(isAbsent ? 'not-found' : 'status', call, { status });
      });
      const { status } = result;
      const outcome = isOk(status) ? 'ok' : 'status';
      onCall?.({ call, outcome, ms: clock.monotonic() - start, status, reason: null });
      return result;
    } catch (cause) {
      const failure = upstreamErrorOf(cause, call, signal);
      const isAbsent = isOptional && failure.kind === 'not-json';
      const error = isAbsent ? new UpstreamError('not-found', call, { status: 404 }) : failure;
      throw reported(error, start);
    }
  }

  /** Reports a failure to metrics and log, and returns it. */
  function reported(error: UpstreamError, start = clock.monotonic()): UpstreamError {
    const { call, kind, status, reason } = error;
    const ms = clock.monotonic() - start;
    onCall?.({ call, outcome: kind, ms, status, reason });
    // The change of the breaker was logged, and that one thing does not exist is correct.
    const isExpected = kind === 'breaker-open' || (kind === 'not-found' && CALLS_OF_ONE_THING.has(call));
    const count = isExpected ? null : countOfLine(`${call} ${kind} ${status}`);
    if (count !== null) warn({ call, kind, status, ms: Math.round(ms), count }, error.message);
    return error;
  }

  /** Runs `work` within its concurrency limits. `signal` aborts when its timeout is over, of which waiting is a part. */
  async function withPermits<T>(
    call: string,
    limits: readonly TakePermit[],
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const held: (() => void)[] = [];
    const start = clock.monotonic();
    const timeout = new AbortController();
    const timer = after(timeoutMs, () => timeout.abort());
    const refuse = (): never => {
      throw reported(new UpstreamError('overloaded', call), start);
    };
    try {
      for (const take of limits) held.push(await take(timeout.signal).catch(refuse));
      return await work(timeout.signal);
    } finally {
      clearTimeout(timer);
      for (const release of held) release();
    }
  }

  /**
   * Resolves with what `parse` makes of the JSON of a 2xx response. The circuit breaker counts a read once, however often it is
   * tried, and all pages of a list or a search as one key: the path without its query.
   */
  async function get<T>(
    path: CmsPath,
    { call, parse, comparison, retry: mayRetry = false, isOptional = false }: GetOptions<T>,
  ): Promise<T> {
    const sent: Sent<T | typeof SAME> = {
      method: 'GET',
      path,
      isFailure: (status) => !isOk(status),
      isOptional,
      async read({ headers, body }) {
        const bytes = await readBody(body, String(headers['content-encoding'] ?? ''), MAX_BODY_BYTES);
        return comparison?.isSame(bytes) ? SAME : parse(parseJson(bytes));
      },
    };
    // An upstream without an optional call may fail each of them.
    const breaker = breakers.memo(isOptional || CALLS_APART.has(call) ? call : READS);
    const isRetried = (error: unknown) =>
      error instanceof UpstreamError && isWorthRetrying(error) && breaker.state() === 'closed';
    const retries = retry(handleWhen(isRetried), { maxAttempts: mayRetry ? MAX_RETRIES : 0 });
    try {
      // Asked before queueing: an open breaker rejects at once, however many calls wait.
      if (breaker.isRejecting()) throw new BreakerOpen();
      const { value } = await withPermits(call, [limit], (signal) =>
        breaker.run(path.replace(/\?.*/, ''), () =>
          retries.execute(() => attempt(call, signal, sent), signal),
        ),
      );
      if (value === SAME) throw new Unchanged('the body is the same as before');
      return value;
    } catch (error) {
      throw error instanceof BreakerOpen ? reported(new UpstreamError('breaker-open', call)) : error;
    }
  }

  /**
   * Resolves with the status of any response, and with `isHtml` for a 404 that is a page: of a proxy that does not know the
   * call. Rejects where there was no response. Not retried, and by no circuit breaker: the outbox has both.
   */
  async function post(
    path: CmsPath,
    body: unknown,
    { call, idempotencyKey }: { call: string; idempotencyKey: string },
  ): Promise<{ status: number; isHtml: boolean }> {
    const sent: Sent<boolean> = {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(body),
      isFailure: isTransientStatus,
      read: isHtml404,
    };
    try {
      const limits = [postLimits.memo(call), postLimit, limit];
      const { status, value: isHtml } = await withPermits(call, limits, (signal) =>
        attempt(call, signal, sent),
      );
      return { status, isHtml };
    } catch (error) {
      // A failure in metrics and log, a response to the caller.
      if (error instanceof UpstreamError && error.status !== null)
        return { status: error.status, isHtml: false };
      throw error;
    }
  }

  return {
    get,
    post,
    /** State of the circuit breaker of reads, those with one of their own excepted. */
    breakerState: () => breakers.memo(READS).state(),
    /** Cuts what is in flight, of which nothing is logged. */
    close(): Promise<void> {
      isClosed = true;
      return dispatcher.destroy();
    },
  };
}

/** Returns whether a 404 has HTML for its body. Reads what is left of any response. */
async function isHtml404(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<boolean> {
  const { statusCode, headers, body } = response;
  await drain(body, signal);
  return statusCode === 404 && /html/i.test(String(headers['content-type'] ?? ''));
}

/** Returns how long a connection may take where a call's deadline is `timeoutMs`. */
export function connectTimeoutMs(timeoutMs: number): number {
  return Math.max(CONNECT_MS, Math.round(timeoutMs * CONNECT_SHARE));
}

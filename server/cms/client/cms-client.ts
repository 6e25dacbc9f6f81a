import type { Dispatcher } from 'undici';
import type { CmsPath } from '#server/cms/cms-paths.ts';
import { site } from '#shared/site.ts';
import { isWorthRetrying, upstreamErrorOf } from './call-failure.ts';
import {
  BreakerOpen,
  type BreakerState,
  type CircuitBreaker,
  createCircuitBreaker,
} from './circuit-breaker.ts';
import { type ConcurrencyLimit, createConcurrencyLimit, Full, type Release } from './concurrency-limit.ts';
import { parseJson } from './parse-json.ts';
import { type RequestTimeout, startRequestTimeout } from './request-timeout.ts';
import { drain, readBody } from './response-body.ts';
import { createDispatcher, MAX_BODY_BYTES, MAX_IN_FLIGHT } from './upstream-dispatcher.ts';
import { isUpstreamFailure, UpstreamError } from './upstream-error.ts';

/** What a finished attempt was like, for metrics. `outcome` is `ok` or the kind of the error; `ms` counts from its start. */
export interface CallRecord {
  call: string;
  outcome: string;
  ms: number;
  status: number | null;
}

export interface CmsClientOptions {
  /** API_HOST: `http:` or `https:` base address, with or without a path. */
  origin: string;
  /** Deadline of one call: waiting for a slot, connecting, headers, body and the second attempt together. */
  timeoutMs: number;
  logger: { warn(fields: object, message: string): void };
  /** Monotonic, ms. */
  clock: () => number;
  dispatcher?: Dispatcher;
  onCall?: (record: CallRecord) => void;
  breaker?: { share: number; leastCalls: number; windowMs: number; openMs: number };
}

export interface GetOptions {
  call: string;
  /** True for a cold read that a page waits for: further attempts within the deadline, while the breaker is closed. */
  retry?: boolean;
  signal?: AbortSignal;
}

export interface PostOptions {
  call: string;
  idempotencyKey?: string;
  timeoutMs?: number;
}

/** The upstream API over HTTP. Rejects with `UpstreamError` alone. */
export interface CmsClient {
  /** The parsed JSON of a 2xx answer. */
  get(path: CmsPath, options: GetOptions): Promise<unknown>;
  /** The status of whatever was answered. Never tried again here. Its endpoint has a breaker of its own: its failures close no reads. */
  post(path: CmsPath, body: unknown, options: PostOptions): Promise<{ status: number }>;
  /** Of reads. */
  breakerState(): BreakerState;
  close(): Promise<void>;
}

/** Where three of ten calls fail at random, three attempts let at least 97 of 100 readers through (`docs/decisions/0004`). */
const MAX_ATTEMPTS = 3;
/** Of the calls in flight: writes that hang must leave room for reads, and those of one endpoint for others. */
const MAX_POSTS_IN_FLIGHT = 32;
const MAX_ENDPOINT_POSTS_IN_FLIGHT = 16;
const MAX_WAITING = 1024;
const BREAKER = { share: 0.5, leastCalls: 20, windowMs: 10_000, openMs: 5_000 };
/** Statuses below 500 of a write that say "later" and not "no". */
const LATER = new Set([408, 425, 429]);
const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip, br',
  'user-agent': `${site.identifiers.userAgent}/1`,
};

function header(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

/** What one attempt brought, and the status it came with. */
interface Attempt<T> {
  value: T;
  status: number;
}

function isOk(status: number): boolean {
  return status >= 200 && status <= 299;
}

interface Base {
  origin: string;
  path: string;
}

function baseOf(address: string): Base {
  const { origin, pathname } = new URL(address);
  return { origin, path: pathname.replace(/\/+$/, '') };
}

/** A client of one upstream, with connections, breaker and slots of its own. Throws when `origin` is no address. */
export function createCmsClient(options: CmsClientOptions): CmsClient {
  const { timeoutMs, logger, clock, onCall } = options;
  const base = baseOf(options.origin);
  const dispatcher = options.dispatcher ?? createDispatcher();
  const slots = createConcurrencyLimit(MAX_IN_FLIGHT, MAX_WAITING);
  const postSlots = createConcurrencyLimit(MAX_POSTS_IN_FLIGHT, MAX_WAITING);
  /** Errors of calls that their caller gave up on: they say nothing of the upstream's health. */
  const givenUp = new WeakSet<UpstreamError>();
  const breaker = createBreaker('reads');
  const endpoints = new Map<string, { breaker: CircuitBreaker; slots: ConcurrencyLimit }>();

  function createBreaker(of: string): CircuitBreaker {
    const own = createCircuitBreaker({
      ...(options.breaker ?? BREAKER),
      clock,
      // A probe that was given up proves nothing either way, so it must not close the breaker.
      isFailure: (error) =>
        isUpstreamFailure(error) &&
        !(error instanceof UpstreamError && givenUp.has(error) && own.state() === 'closed'),
      onChange: (state) => logger.warn({ breaker: state, of }, 'upstream breaker changed'),
    });
    return own;
  }

  function endpointOf(call: string) {
    const known = endpoints.get(call);
    if (known) return known;
    const made = {
      breaker: createBreaker(call),
      slots: createConcurrencyLimit(MAX_ENDPOINT_POSTS_IN_FLIGHT, MAX_WAITING),
    };
    endpoints.set(call, made);
    return made;
  }

  function send(
    path: CmsPath,
    signal: AbortSignal,
    more: { method: 'GET' | 'POST'; headers?: object; body?: string },
  ) {
    const { method, headers = {}, body = null } = more;
    const address = { origin: base.origin, path: base.path + path };
    return dispatcher.request({ ...address, method, headers: { ...HEADERS, ...headers }, body, signal });
  }

  async function readJson(path: CmsPath, call: string, signal: AbortSignal): Promise<Attempt<unknown>> {
    const { statusCode, headers, body } = await send(path, signal, { method: 'GET' });
    if (!isOk(statusCode)) {
      await drain(body, signal);
      throw new UpstreamError('status', call, { status: statusCode });
    }
    const bytes = await readBody(body, header(headers['content-encoding']), MAX_BODY_BYTES);
    return { value: parseJson(bytes), status: statusCode };
  }

  async function write(path: CmsPath, body: unknown, options: PostOptions, signal: AbortSignal) {
    const key = options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey };
    const headers = { 'content-type': 'application/json', ...key };
    const response = await send(path, signal, { method: 'POST', headers, body: JSON.stringify(body) });
    await drain(response.body, signal);
    return { value: { status: response.statusCode }, status: response.statusCode };
  }

  /** One attempt, recorded. Whatever goes wrong comes out as an `UpstreamError`. */
  async function attempt<T>(
    call: string,
    signal: AbortSignal,
    caller: AbortSignal | undefined,
    work: () => Promise<Attempt<T>>,
  ) {
    const start = clock();
    try {
      const { value, status } = await work();
      onCall?.({ call, outcome: isOk(status) ? 'ok' : 'status', ms: clock() - start, status });
      return value;
    } catch (cause) {
      const error = upstreamErrorOf(cause, call, signal);
      if (caller?.aborted) givenUp.add(error);
      fail(error, clock() - start);
      throw error;
    }
  }

  function fail(error: UpstreamError, ms: number): void {
    const { call, kind, status } = error;
    onCall?.({ call, outcome: kind, ms, status });
    // A refused call is not logged: the breaker's change was, and a flood of refusals tells nothing more.
    if (kind !== 'breaker-open') logger.warn({ call, kind, status, ms: Math.round(ms) }, error.message);
  }

  /** Runs `work` in slots it waits for within its deadline. */
  async function inSlot<T>(
    call: string,
    kinds: ConcurrencyLimit[],
    deadline: RequestTimeout,
    work: () => Promise<T>,
  ): Promise<T> {
    const held: Release[] = [];
    const start = clock();
    try {
      for (const kind of kinds) held.push(await kind.take(deadline.signal));
      return await work();
    } catch (cause) {
      if (!(cause instanceof Full)) throw cause;
      const error = new UpstreamError('overloaded', call);
      fail(error, clock() - start);
      throw error;
    } finally {
      deadline.stop();
      for (const release of held) release();
    }
  }

  async function throughBreaker<T>(
    breaker: CircuitBreaker,
    call: string,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await breaker.run(work);
    } catch (cause) {
      if (!(cause instanceof BreakerOpen)) throw cause;
      const error = new UpstreamError('breaker-open', call);
      fail(error, 0);
      throw error;
    }
  }

  async function get(path: CmsPath, { call, retry = false, signal: caller }: GetOptions): Promise<unknown> {
    // Asked before queueing: a refusal has to come at once, however many wait.
    if (breaker.refuses())
      return await throughBreaker(breaker, call, () => Promise.reject(new BreakerOpen()));
    const deadline = startRequestTimeout(timeoutMs, caller);
    const once = () =>
      throughBreaker(breaker, call, () =>
        attempt(call, deadline.signal, caller, () => readJson(path, call, deadline.signal)),
      );
    const mayTryAgain = (error: unknown) =>
      retry &&
      error instanceof UpstreamError &&
      isWorthRetrying(error) &&
      !deadline.signal.aborted &&
      breaker.state() === 'closed';
    return await inSlot(call, [slots], deadline, async () => {
      for (let left = MAX_ATTEMPTS - 1; left > 0; left--) {
        try {
          return await once();
        } catch (error) {
          if (!mayTryAgain(error)) throw error;
        }
      }
      return await once();
    });
  }

  async function post(path: CmsPath, body: unknown, options: PostOptions): Promise<{ status: number }> {
    const { call } = options;
    const endpoint = endpointOf(call);
    const refused = () => Promise.reject(new BreakerOpen());
    if (endpoint.breaker.refuses()) return await throughBreaker(endpoint.breaker, call, refused);
    const deadline = startRequestTimeout(options.timeoutMs ?? timeoutMs);
    const kinds = [endpoint.slots, postSlots, slots];
    return await inSlot(call, kinds, deadline, () =>
      statusThrough(endpoint.breaker, call, () =>
        attempt(call, deadline.signal, undefined, () => write(path, body, options, deadline.signal)),
      ),
    );
  }

  /** A status is an answer to whoever posts, and may be a failure to the breaker. */
  async function statusThrough(
    breaker: CircuitBreaker,
    call: string,
    work: () => Promise<{ status: number }>,
  ): Promise<{ status: number }> {
    let response: { status: number } | null = null;
    try {
      return await throughBreaker(breaker, call, async () => {
        response = await work();
        if (response.status >= 500 || LATER.has(response.status))
          throw new UpstreamError('status', call, response);
        return response;
      });
    } catch (error) {
      if (response) return response;
      throw error;
    }
  }

  return { get, post, breakerState: breaker.state, close: () => dispatcher.destroy() };
}

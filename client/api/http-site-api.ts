import type { SentSubmission, SubmissionOutcome } from '#shared/models/submission.ts';
import type { SiteApi } from '#shared/site-api.ts';
import * as apiPaths from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';

/** How long equal reads share one request (ms): a navigation uses the response that its link prefetched. */
const SHARED_FOR_MS = 20_000;
/** A call without a response fails after this long (ms). */
const TIMEOUT_MS = 10_000;

/** A request and how many callers wait for it. */
interface SharedRead {
  data: Promise<unknown>;
  callers: number;
  cancel: () => void;
}

/** Returns all that the client calls, over the site's JSON API. */
export function createHttpSiteApi() {
  const shared = new Map<string, SharedRead>();

  function sharedRead(path: string): SharedRead {
    const running = shared.get(path);
    if (running) return running;
    const controller = new AbortController();
    const data = request(path, controller);
    const forget = () => {
      if (shared.get(path) === read) shared.delete(path);
    };
    const cancel = () => {
      forget();
      controller.abort();
    };
    const read = { data, callers: 0, cancel };
    shared.set(path, read);
    data.catch(forget);
    setTimeout(forget, SHARED_FOR_MS);
    return read;
  }

  function get(path: string, signal: AbortSignal | null): Promise<unknown> {
    const read = sharedRead(path);
    const leave = () => {
      read.callers -= 1;
      if (read.callers === 0) read.cancel();
    };
    read.callers += 1;
    // The router runs the loader of a navigation that was superseded while the page's chunk was loading.
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    return read.data;
  }

  async function request(path: string, controller: AbortController): Promise<unknown> {
    // In WebKit a signal of `AbortSignal.any` ended no request.
    const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
    const { signal } = controller;
    let response: Response;
    try {
      response = await fetch(path, { headers: { accept: 'application/json' }, signal });
      if (response.ok) return await response.json();
    } catch {
      throw new SiteError('unreachable', en.unreachable);
    } finally {
      clearTimeout(timer);
    }
    throw await siteError(response);
  }

  async function post(path: string, body: unknown): Promise<Response | null> {
    try {
      return await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        keepalive: true,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch {
      return null;
    }
  }

  async function submit(path: string, body: unknown): Promise<SubmissionOutcome> {
    return parseSubmissionResult(await post(path, body));
  }

  function readsWith(read: (path: string) => Promise<unknown>): SiteApi {
    const methods = Object.entries(apiPaths.reads).map(([method, path]) => [
      method,
      (input: apiPaths.CallInput = {}) => read(apiPaths.callTarget(path, input)),
    ]);
    // The server checks each response against its schema before it sends it (`server/api/api-routes.ts`).
    return Object.fromEntries(methods) as SiteApi;
  }

  return {
    ...readsWith((path) => get(path, null)),
    /** Returns the same reads for one navigation: a request for which only aborted navigations wait is cancelled. */
    readsUntil: (signal: AbortSignal) => readsWith((path) => get(path, signal)),
    /** The same reads for later, without a caller that waits: a superseded navigation that shares one cancels it. */
    prefetchReads: readsWith((path) => sharedRead(path).data),
    /** Counts a view of an article that a client-side navigation opened. Never rejects. */
    countView: (postId: string) => void post(apiPaths.countView, { postId }),
    subscribe: (email: string) => submit(apiPaths.subscribe, { email }),
    sendContactMessage: (submission: SentSubmission) => submit(apiPaths.sendContactMessage, submission),
    sendOptOut: (submission: SentSubmission) => submit(apiPaths.sendOptOut, submission),
  };
}

async function siteError(response: Response): Promise<SiteError> {
  const { detail, goTo } = await parseProblemDetails(response);
  const kind = response.status === 404 ? 'not-found' : 'unavailable';
  const message = typeof detail === 'string' ? detail : en.pageFailed;
  return new SiteError(kind, message, goTo === '/404' ? '/404' : null);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value instanceof Object;
}

/** Returns the problem details (RFC 9457) of a response; an empty object where its body holds none. */
async function parseProblemDetails(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return isRecord(body) ? body : {};
  } catch {
    return {};
  }
}

/** Returns the outcome of a submission. `response`: null where the network failed. */
async function parseSubmissionResult(response: Response | null): Promise<SubmissionOutcome> {
  if (response?.ok) return { kind: 'accepted' };
  if (response?.status === 409) return { kind: 'already-subscribed' };
  if (response?.status === 400) {
    const { errors } = await parseProblemDetails(response);
    const entries = isRecord(errors) ? Object.entries(errors) : [];
    return {
      kind: 'invalid',
      errors: Object.fromEntries(entries.map(([field, text]) => [field, String(text)])),
    };
  }
  return { kind: 'failed', status: response?.status ?? 0 };
}

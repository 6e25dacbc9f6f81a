import type { SubmissionOutcome } from '#shared/models/submission.ts';
import type { SiteApi, SubmissionApi, ViewApi } from '#shared/site-api.ts';
import * as apiPaths from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';

/** How long equal reads share one request (ms): a navigation uses the response that its link prefetched. */
const SHARED_FOR_MS = 20_000;
/** A read without a response fails after this long (ms). */
const TIMEOUT_MS = 10_000;

/** All that the client calls. */
interface HttpSiteApi extends SiteApi, SubmissionApi, ViewApi {
  /**
   * Returns the same reads for one navigation: a request for which only aborted navigations wait is cancelled. With a signal
   * that is aborted already the reads are for later, and nobody waits for them.
   */
  readsUntil(signal: AbortSignal): SiteApi;
}

/** A request and how many callers wait for it. */
interface SharedRead {
  data: Promise<unknown>;
  callers: number;
  abort: () => void;
}

/** Returns all that the client calls, over the site's JSON API. */
export function createHttpSiteApi(): HttpSiteApi {
  const shared = new Map<string, SharedRead>();

  function startRead(path: string): SharedRead {
    const controller = new AbortController();
    const data = request(path, controller);
    const read = { data, callers: 0, abort: () => controller.abort() };
    const forget = () => {
      if (shared.get(path) === read) shared.delete(path);
    };
    shared.set(path, read);
    data.catch(forget);
    setTimeout(forget, SHARED_FOR_MS);
    return read;
  }

  function get(path: string, signal: AbortSignal | null): Promise<unknown> {
    const read = shared.get(path) ?? startRead(path);
    if (!signal?.aborted) read.callers += 1;
    signal?.addEventListener(
      'abort',
      () => {
        read.callers -= 1;
        if (read.callers > 0) return;
        shared.delete(path);
        read.abort();
      },
      { once: true },
    );
    return read.data;
  }

  async function request(path: string, controller: AbortController): Promise<unknown> {
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
      });
    } catch {
      return null;
    }
  }

  async function submit(path: string, body: unknown): Promise<SubmissionOutcome> {
    return parseSubmissionResult(await post(path, body));
  }

  function readsUntil(signal: AbortSignal | null): SiteApi {
    const methods = Object.entries(apiPaths.reads).map(([method, path]) => [
      method,
      (input: apiPaths.CallInput = {}) => get(apiPaths.callTarget(path, input), signal),
    ]);
    // The server checks each response against its schema before it sends it (`server/api/api-routes.ts`).
    return Object.fromEntries(methods) as SiteApi;
  }

  return {
    ...readsUntil(null),
    readsUntil,
    countView: async (postId) => {
      await post(apiPaths.countView, { postId });
    },
    subscribe: (email) => submit(apiPaths.subscribe, { email }),
    sendContactMessage: (submission) => submit(apiPaths.sendContactMessage, submission),
    sendOptOut: (submission) => submit(apiPaths.sendOptOut, submission),
  };
}

async function siteError(response: Response): Promise<SiteError> {
  const { detail, goTo } = await parseProblemDetails(response);
  const kind = response.status === 404 ? 'not-found' : 'unavailable';
  const message = typeof detail === 'string' ? detail : en.pageFailed;
  return new SiteError(kind, message, goTo === '/404' ? '/404' : null);
}

/** Returns whether a value is an object. */
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

import type { ContactSubmission, SubmissionOutcome } from '#shared/models/submission.ts';
import type { SiteApi, SubmissionApi, ViewApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { encodeSegment as segment } from '#shared/urls.ts';
import { parseProblemDetails } from './parse-problem-details.ts';
import { parseSubmissionResult } from './parse-submission-result.ts';

/** How long equal reads share one request (ms): a navigation uses the response that its link prefetched. */
const SHARED_FOR_MS = 20_000;

function pageQuery(page: number): string {
  return page > 1 ? `?page=${page}` : '';
}

/** Returns all that the client calls, over the site's JSON API. */
export function createHttpSiteApi(): SiteApi & SubmissionApi & ViewApi {
  const shared = new Map<string, Promise<unknown>>();

  async function get<T>(path: string): Promise<T> {
    let data = shared.get(path);
    if (!data) {
      data = request(path);
      shared.set(path, data);
      data.catch(() => shared.delete(path));
      setTimeout(() => shared.delete(path), SHARED_FOR_MS);
    }
    // The server checks each response against its schema before it sends it (`server/routes/api/api-routes.ts`).
    return (await data) as T;
  }

  async function request(path: string): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(`/api${path}`, { headers: { accept: 'application/json' } });
    } catch {
      throw new SiteError('unavailable', 'The network could not be reached.');
    }
    if (!response.ok) throw await siteError(response);
    return response.json();
  }

  async function post(path: string, body: unknown): Promise<Response | null> {
    try {
      return await fetch(`/api${path}`, {
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

  return {
    navigation: () => get('/navigation'),
    home: () => get('/home'),
    tag: (subcategory) => get(`/tags/${segment(subcategory)}`),
    topic: ({ category, subcategory, page }) =>
      get(
        `/topics/${segment(category)}${subcategory === null ? '' : `/${segment(subcategory)}`}${pageQuery(page)}`,
      ),
    article: ({ category, slug }) => get(`/articles/${segment(category)}/${segment(slug)}`),
    events: ({ tab, page }) => get(`/events?tab=${tab}&page=${page}`),
    event: (slug) => get(`/events/${segment(slug)}`),
    search: (query) =>
      get(`/search/${segment(query.category)}/${segment(query.term)}${pageQuery(query.page)}`),
    sitemap: () => get('/sitemap'),
    countView: async (postId) => {
      await post('/views', { postId });
    },
    subscribe: (email) => submit('/subscriptions', { email }),
    sendContactMessage: (submission: ContactSubmission) => submit('/contact-messages', submission),
    sendOptOut: (submission: ContactSubmission) => submit('/opt-outs', submission),
  };
}

async function siteError(response: Response): Promise<SiteError> {
  const { detail, goTo } = await parseProblemDetails(response);
  const kind = response.status === 404 ? 'not-found' : 'unavailable';
  const message = typeof detail === 'string' ? detail : 'This page could not be loaded.';
  return new SiteError(kind, message, goTo === '/404' ? '/404' : null);
}

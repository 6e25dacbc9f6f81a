import type { ContactSubmission, SubmissionOutcome } from '#shared/models/submission.ts';
import type { SiteActions, SiteApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { encodeSegment as segment } from '#shared/urls.ts';
import { parseProblemDetails } from './parse-problem-details.ts';

/** How long an answer fetched ahead of a click may serve the click, in milliseconds. */
const PREFETCH_LIFE_MS = 20_000;

interface Kept {
  at: number;
  answer: Promise<unknown>;
}

function pageQuery(page: number): string {
  return page > 1 ? `?page=${page}` : '';
}

/**
 * `SiteApi` over the site's own JSON API. Equal calls within a few seconds share one request, so that
 * data fetched ahead of a click is not fetched again by the click.
 */
export function createHttpSiteApi(
  fetch: typeof globalThis.fetch,
  clock: () => number = Date.now,
): SiteApi & SiteActions {
  const kept = new Map<string, Kept>();

  async function get<T>(path: string): Promise<T> {
    const known = kept.get(path);
    if (known && clock() - known.at < PREFETCH_LIFE_MS) return (await known.answer) as T;
    const answer = request(path);
    kept.set(path, { at: clock(), answer });
    answer.catch(() => kept.delete(path));
    for (const [key, value] of kept) if (clock() - value.at >= PREFETCH_LIFE_MS) kept.delete(key);
    // The server's answers are checked against their schemas before they leave it (`server/routes/api/api.ts`).
    return (await answer) as T;
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

  /** What an answer means is known to the forms' own code: few readers send one. */
  async function submit(path: string, body: unknown): Promise<SubmissionOutcome> {
    const response = await post(path, body);
    return (await import('./parse-submission-result.ts')).parseSubmissionResult(response);
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

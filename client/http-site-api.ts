import type { ContactSubmission, SubmissionOutcome } from '#shared/models/submission.ts';
import type { SiteActions, SiteApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { encodeSegment as segment } from '#shared/urls.ts';

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
    // The server's answers are checked against their schemas before they leave it (`server/routes/api.ts`).
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
    subscribe: async (email) => outcome(await post('/subscriptions', { email })),
    sendContactMessage: async (submission: ContactSubmission) =>
      outcome(await post('/contact-messages', submission)),
    sendOptOut: async (submission: ContactSubmission) => outcome(await post('/opt-outs', submission)),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

async function problem(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return isRecord(body) ? body : {};
  } catch {
    return {};
  }
}

async function siteError(response: Response): Promise<SiteError> {
  const { detail, goTo } = await problem(response);
  const kind = response.status === 404 ? 'not-found' : 'unavailable';
  const message = typeof detail === 'string' ? detail : 'This page could not be loaded.';
  return new SiteError(kind, message, goTo === '/404' ? '/404' : null);
}

async function outcome(response: Response | null): Promise<SubmissionOutcome> {
  if (response?.ok) return { kind: 'accepted' };
  if (response?.status === 409) return { kind: 'already-subscribed' };
  if (response?.status === 400) {
    const { errors } = await problem(response);
    const entries = isRecord(errors) ? Object.entries(errors) : [];
    return {
      kind: 'invalid',
      errors: Object.fromEntries(entries.map(([field, text]) => [field, String(text)])),
    };
  }
  return { kind: 'failed' };
}

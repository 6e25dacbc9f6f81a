import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Built } from '#server/render/response-cache/response-cache.ts';
import type { Key, Page } from './cache-scenarios.ts';

/** The data of each page. The first key is its primary resource. */
export const DATA: Readonly<Record<Page, readonly [Key, ...Key[]]>> = {
  '/a': ['article/a', 'topic/a'],
  '/b': ['article/b', 'topic/b', 'topic/a'],
  '/all': ['topic/a', 'topic/b', 'topic/c', 'article/a', 'article/b'],
};

const NEVER = new Promise<never>(() => undefined);

/** A page's path, and the values of its data as far as they could be loaded. */
export interface PageText {
  page: Page;
  values: { key: Key; value: unknown }[];
  /** Set by a mutant alone. */
  builtAt?: number;
}

/** Builds a page from its data alone. Rejects if its primary resource does. */
export async function buildPage(
  page: Page,
  read: (key: Key, tracker: DependencyTracker) => Promise<unknown>,
  tracker: DependencyTracker,
): Promise<Built<PageText>> {
  const [primary, ...others] = DATA[page];
  const values: PageText['values'] = [{ key: primary, value: await read(primary, tracker) }];
  for (const outcome of await Promise.all(others.map(readOptional))) if (outcome) values.push(outcome);
  return toResponse({ page, values });

  async function readOptional(key: Key): Promise<PageText['values'][number] | null> {
    try {
      return { key, value: await read(key, tracker) };
    } catch {
      tracker.markIncomplete(NEVER);
      return null;
    }
  }
}

/** Returns the response of a page's text. */
export function toResponse(text: PageText): Built<PageText> {
  const body = Buffer.from(JSON.stringify(text));
  const { length } = body;
  const etag = '"none"';
  const variants = {
    br: { body, etag, encoding: 'br' as const, length },
    gzip: { body, etag, encoding: 'gzip' as const, length },
    identity: { body, etag, encoding: 'identity' as const, length },
  };
  const response = { status: 200 as const, contentType: 'application/json', variants, bytes: body.length };
  return { kind: 'response', response, extra: text };
}

import type { DependencyTracker } from '#server/cache/dependency-tracker.ts';
import type { Built } from '#server/render/response-cache.ts';
import type { Key, Page } from './cache-scenarios.ts';

/** What each page is made of. The first is its subject, without which there is no page. */
export const DATA: Readonly<Record<Page, readonly [Key, ...Key[]]>> = {
  '/a': ['article/a', 'topic/a'],
  '/b': ['article/b', 'topic/b', 'topic/a'],
  '/all': ['topic/a', 'topic/b', 'topic/c', 'article/a', 'article/b'],
};

/** What a page says: its address, and the value of each answer that could be had. */
export interface PageText {
  page: Page;
  values: { key: Key; value: unknown }[];
  /** Milliseconds: no page of ours has it. */
  made?: number;
}

/** A page follows from this alone. Rejects where its subject cannot be had. */
export async function buildPage(
  page: Page,
  read: (key: Key, tracker: DependencyTracker) => Promise<unknown>,
  tracker: DependencyTracker,
): Promise<Built<PageText>> {
  const [subject, ...others] = DATA[page];
  const values: PageText['values'] = [{ key: subject, value: await read(subject, tracker) }];
  for (const outcome of await Promise.all(others.map(tried))) if (outcome) values.push(outcome);
  return written({ page, values });

  async function tried(key: Key): Promise<PageText['values'][number] | null> {
    try {
      return { key, value: await read(key, tracker) };
    } catch {
      tracker.markIncomplete();
      return null;
    }
  }
}

/** The answer that a page's text is sent as. */
export function written(text: PageText): Built<PageText> {
  const body = Buffer.from(JSON.stringify(text));
  const etag = '"none"';
  const variants = {
    br: { body, etag, encoding: 'br' as const },
    gzip: { body, etag, encoding: 'gzip' as const },
    identity: { body, etag, encoding: 'identity' as const },
  };
  const response = { status: 200 as const, contentType: 'application/json', variants, bytes: body.length };
  return { kind: 'response', response, extra: text };
}

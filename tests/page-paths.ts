import type { PageRecord } from '#client/routes.tsx';

/** Addresses of the demo's content, by the name of a page whose path has parameters. */
const EXAMPLES = new Map([
  ['article', '/learning-center/choosing-a-customer-data-platform-once'],
  ['tag', '/tag/customer-data'],
  ['topic', '/topic/news'],
  ['subtopic', '/topic/news/customer-data'],
  ['author', '/author/1'],
  ['search', '/search/all/consent'],
  ['event', '/events/agents-at-work-berlin'],
  ['not-found', '/no-such-page'],
]);

/** The page of a publisher's own texts, which has no address without a site folder. */
const OWN_PAGE = 'own';

/** Returns an address of each page of the page table, by its name. Throws where a page with parameters has no example. */
export function pagePaths(pages: readonly Pick<PageRecord, 'name' | 'path'>[]): ReadonlyMap<string, string> {
  return new Map(
    pages
      .filter(({ name }) => name !== OWN_PAGE)
      .map(({ name, path }) => {
        const example = EXAMPLES.get(name);
        if (example === undefined && /[:*]/.test(path))
          throw new Error(`tests/page-paths.ts has no example of ${name}`);
        return [name, example ?? path];
      }),
  );
}

import type { RenderBundle } from './render-response.ts';

/** Fastify's route of all pages. Which page a target means is said by the page table. */
export const PAGES_ROUTE = '/*';

const NOT_FOUND = 'not-found';

export type PageTable = ReturnType<typeof createPageTable>;

/** Creates what the server derives from the page table (`client/routes.tsx`). */
export function createPageTable({ pages, canonicalUrl }: Pick<RenderBundle, 'pages' | 'canonicalUrl'>) {
  const templates = new Map(pages.map(({ name, path }) => [name, name === NOT_FOUND ? NOT_FOUND : path]));
  const known = new Set(templates.values());
  return {
    /** Returns the path template of a target's page, else `not-found`: what readers type must not become labels of metrics. */
    templateOf: (target: string): string => templates.get(canonicalUrl(target).page) ?? NOT_FOUND,
    /** Whether a route template is that of a page, and not of an asset, a feed or an API call. */
    hasTemplate: (template: string): boolean => known.has(template),
    /** Paths of the pages without parameters that search engines may index. */
    indexedPaths: pages
      .filter(({ path, noIndex }) => /^\/[^:*]*$/.test(path) && !noIndex)
      .map(({ path }) => path),
  };
}

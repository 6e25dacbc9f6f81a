import type { RenderBundle } from './renderer.ts';

/** Fastify's route of all pages. Which page a target means is said by the page table. */
export const PAGES_ROUTE = '/*';

const NOT_FOUND = 'not-found';

/** What the server derives from the page table (`client/routes.tsx`). */
export interface PageTable {
  /**
   * Returns the path template of the page that a request target means, `not-found` for an unknown one. Templates are a
   * small fixed set: what readers type must not become labels of metrics.
   */
  templateOf(target: string): string;
  /** Whether a route template is that of a page, and not of an asset, a feed or an API call. */
  hasTemplate(template: string): boolean;
  /** Paths of the pages without parameters that search engines may index. */
  indexedPaths: readonly string[];
}

export function createPageTable({
  pages,
  canonicalUrl,
}: Pick<RenderBundle, 'pages' | 'canonicalUrl'>): PageTable {
  const templates = new Map(pages.map(({ name, path }) => [name, name === NOT_FOUND ? NOT_FOUND : path]));
  const known = new Set(templates.values());
  return {
    templateOf: (target) => templates.get(canonicalUrl(target).page) ?? NOT_FOUND,
    hasTemplate: (template) => known.has(template),
    indexedPaths: pages
      .filter(({ path, noIndex }) => /^\/[^:*]*$/.test(path) && !noIndex)
      .map(({ path }) => path),
  };
}

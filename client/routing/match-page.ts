import { type PageRecord, pages } from '#client/routes.tsx';

interface Template {
  page: PageRecord;
  /** In lower case; null where any text may stand. */
  words: (string | null)[];
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

function templateOf(page: PageRecord): Template {
  const words = segmentsOf(page.path).map((segment) =>
    segment.startsWith(':') ? null : segment.toLowerCase(),
  );
  return { page, words };
}

const specificity = ({ words }: Template) => words.filter((word) => word !== null).length;

const templates = pages
  .filter(({ path }) => path !== '*')
  .map(templateOf)
  .sort((one, other) => specificity(other) - specificity(one));

/** A page, and its path as the page table spells it. */
export interface PageMatch {
  page: PageRecord;
  path: string;
}

/**
 * The page of a canonical path, whatever the case of the words that the page table has; null for an unknown path, and
 * for none. It is the page that the router finds under `path`. The router ranks the whole table each time that it is
 * asked: that took a twelfth of a cold request.
 */
export function matchPage(path: string | null): PageMatch | null {
  if (path === null) return null;
  const segments = segmentsOf(path);
  const matches = ({ words }: Template) =>
    words.length === segments.length &&
    words.every((word, index) => word === null || word === segments[index]?.toLowerCase());
  const found = templates.find(matches);
  if (!found) return null;
  return {
    page: found.page,
    path: `/${segments.map((segment, index) => found.words[index] ?? segment).join('/')}`,
  };
}

import { type PageRecord, pages } from './routes.tsx';

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

/**
 * The page whose path matches, none for an unknown address. It is the page that the router finds, which ranks the whole
 * table each time that it is asked: that took a twelfth of a cold request. `path`: canonical.
 */
export function pageOfPath(path: string): PageRecord | undefined {
  const segments = segmentsOf(path);
  const matches = ({ words }: Template) =>
    words.length === segments.length &&
    words.every((word, index) => word === null || word === segments[index]?.toLowerCase());
  return templates.find(matches)?.page;
}

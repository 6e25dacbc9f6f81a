import { isNonPagePath } from '#shared/non-page-path.ts';
import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';

/** More than any slug of a publishing system has. */
const MAX_LENGTH = 512;

/**
 * Throws the 404 `SiteError` for slugs that cannot exist, so that scanners cause no upstream call. `slugs`: decoded, an
 * article's category first.
 */
export function rejectImpossibleSlugs(...slugs: string[]): void {
  if (isNonPagePath(`/${slugs.join('/')}`)) throw notFound();
  // An upstream's slug has no space around it. A topic without a subcategory has an empty one.
  if (slugs.some((slug) => slug !== slug.trim())) throw notFound();
  rejectTooLong(...slugs);
}

/** Throws it only for texts that are too long: search terms may be anything. */
export function rejectTooLong(...texts: string[]): void {
  if (texts.some(({ length }) => length > MAX_LENGTH)) throw notFound();
}

function notFound(): SiteError {
  return new SiteError('not-found', en.pageDoesNotExist);
}

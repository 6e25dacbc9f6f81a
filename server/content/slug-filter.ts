import { isForeignPath } from '#shared/foreign-path.ts';
import { SiteError } from '#shared/site-error.ts';

/** Longer than any slug of a publishing system; what is longer never reaches the upstream. */
const LONGEST = 512;

/**
 * Throws the `SiteError` of a page that does not exist where slugs cannot be an address: such a request costs the
 * upstream nothing. `slugs`: decoded, an article's category first.
 */
export function rejectImpossibleSlugs(...slugs: string[]): void {
  if (isForeignPath(`/${slugs.join('/')}`)) throw missing();
  refuseTooLong(...slugs);
}

/** The same for texts that are no slugs: readers search for the names of files. */
export function refuseTooLong(...texts: string[]): void {
  if (texts.some(({ length }) => length > LONGEST)) throw missing();
}

function missing(): SiteError {
  return new SiteError('not-found', 'This page does not exist.');
}

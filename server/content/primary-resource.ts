import { Frozen } from '#server/cache/cache-mode.ts';
import { Absent } from '#server/cache/cache-query.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import { isNonPagePath } from '#shared/non-page-path.ts';
import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';

/** What the specification says of failures of one page's primary resource. */
export interface PrimaryResourceRules {
  /** True where the reader is redirected to /404. */
  goTo404?: (error: UpstreamError) => boolean;
  /** True where the upstream says that there is no such page. */
  isNotFound?: (error: UpstreamError) => boolean;
}

/** More than any slug of a publishing system has. */
const MAX_LENGTH = 512;

const notFound = () => new SiteError('not-found', en.pageDoesNotExist);
const unavailable = (goTo: SiteError['goTo'] = null) =>
  new SiteError('unavailable', en.pageFailedForNow, goTo);

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

/** Resolves with a page's primary resource. Rejects with a `SiteError`, which fails the page: a reader may see its message. */
export async function primaryResource<T>(
  loading: Promise<T>,
  { goTo404, isNotFound }: PrimaryResourceRules = {},
): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof Absent) throw notFound();
    if (error instanceof Frozen) throw unavailable();
    if (!(error instanceof UpstreamError)) throw error;
    if (goTo404?.(error)) throw unavailable('/404');
    throw isNotFound?.(error) ? notFound() : unavailable();
  }
}

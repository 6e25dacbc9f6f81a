import { Frozen } from '#server/cache/cache-mode.ts';
import { Absent } from '#server/cache/cache-query.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';

/** What the specification says of failures of one page's primary resource. */
export interface PrimaryResourceRules {
  /** True where the reader is redirected to /404. */
  goTo404?: (error: UpstreamError) => boolean;
  /** True where the upstream says that there is no such page. */
  isNotFound?: (error: UpstreamError) => boolean;
}

const NOT_FOUND = en.pageDoesNotExist;
const UNAVAILABLE = en.pageFailedForNow;

/** Resolves with a page's primary resource. Rejects with a `SiteError`, which fails the page: a reader may see its message. */
export async function primaryResource<T>(
  loading: Promise<T>,
  { goTo404, isNotFound }: PrimaryResourceRules = {},
): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof Absent) throw new SiteError('not-found', NOT_FOUND);
    if (error instanceof Frozen) throw new SiteError('unavailable', UNAVAILABLE);
    if (!(error instanceof UpstreamError)) throw error;
    if (goTo404?.(error)) throw new SiteError('unavailable', UNAVAILABLE, '/404');
    if (isNotFound?.(error)) throw new SiteError('not-found', NOT_FOUND);
    throw new SiteError('unavailable', UNAVAILABLE);
  }
}

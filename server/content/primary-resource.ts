import { Absent } from '#server/cache/cache-query.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import { SiteError } from '#shared/site-error.ts';

/** How the specification treats failures of one page's subject. */
export interface PrimaryResourceRules {
  /** True where the reader goes to /404 instead. */
  goTo404?: (error: UpstreamError) => boolean;
}

const UNAVAILABLE = 'This page could not be loaded. Please try again in a moment.';

/** A page's subject: its failure decides the page. Rejects with a `SiteError` whose message a reader may see. */
export async function primaryResource<T>(
  response: Promise<T>,
  { goTo404 }: PrimaryResourceRules = {},
): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof Absent) throw new SiteError('not-found', 'This page does not exist.');
    if (!(error instanceof UpstreamError)) throw error;
    if (goTo404?.(error)) throw new SiteError('unavailable', UNAVAILABLE, '/404');
    if (error.status === 404) throw new SiteError('not-found', 'This page does not exist.');
    throw new SiteError('unavailable', UNAVAILABLE);
  }
}

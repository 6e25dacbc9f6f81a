import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';

export { NotFound as Page } from '#client/layout/status-page.tsx';

/** Fails as the loader of an unknown article does: all unknown paths share one document. */
export function loader(): never {
  throw new SiteError('not-found', en.pageDoesNotExist);
}

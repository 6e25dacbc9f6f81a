import { SiteError } from '#shared/site-error.ts';

export { NotFound as Page } from '#client/layout/not-found.tsx';

/** Fails as the loader of an unknown article does: all unknown paths share one document. */
export function loader(): never {
  throw new SiteError('not-found', 'This page does not exist.');
}

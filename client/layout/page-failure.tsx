import { Link, useLocation, useMatches, useRouteError } from 'react-router';
import { SiteError } from '#shared/site-error.ts';
import { NotFound } from './not-found.tsx';
import { PageHead } from './page-head.tsx';
import { useReloadOnce } from './use-reload-once.ts';

/** What stands in a page's place when its subject does not exist or could not be had. Never an internal message. */
export function PageFailure() {
  const error = useRouteError();
  useReloadOnce(error);
  const { pathname, search } = useLocation();
  const handle: unknown = useMatches().at(-1)?.handle;
  if (error instanceof SiteError && error.kind === 'not-found') return <NotFound />;

  const message = error instanceof SiteError ? error.message : 'Something went wrong on this page.';
  return (
    <div className="page page-failure">
      <PageHead title="Not available now" description={message} noIndex />
      <h1>This page is not available now</h1>
      <p role="alert">{failureText(handle, message)}</p>
      <p>
        {/* A plain document request: it also brings new code after a deploy. */}
        <Link to={pathname + search} reloadDocument>
          Try again
        </Link>{' '}
        or <Link to="/">go to the home page</Link>.
      </p>
    </div>
  );
}

function failureText(handle: unknown, message: string): string {
  const hasText = typeof handle === 'object' && handle !== null && 'failure' in handle;
  return hasText && typeof handle.failure === 'function' ? String(handle.failure(message)) : message;
}

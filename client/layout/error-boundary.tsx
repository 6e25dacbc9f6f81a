import type { MouseEvent } from 'react';
import { useLocation, useMatches, useRouteError } from 'react-router';
import { ChunkError } from '#client/routing/load-chunk.ts';
import { isReachable, useReloadOnce } from '#client/routing/use-reload-once.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import { SiteError } from '#shared/site-error.ts';
import { NotFound } from './not-found.tsx';
import { StatusPage } from './status-page.tsx';

const HEADING = 'This page is not available now';
const UNREACHABLE = 'This page could not be loaded';

/**
 * Renders the 404 page, or the error page of a route whose primary resource failed to load. Never shows an internal
 * message.
 */
export function ErrorBoundary() {
  const error = useRouteError();
  useReloadOnce(error);
  const { pathname, search } = useLocation();
  const handle: unknown = useMatches().at(-1)?.handle;
  if (error instanceof SiteError && error.kind === 'not-found') return <NotFound />;

  const message =
    error instanceof SiteError || error instanceof ChunkError
      ? error.message
      : 'Something went wrong on this page.';
  // The page's own texts say what the site responded: that there are no posts, for one.
  const isUnreachable =
    error instanceof ChunkError || (error instanceof SiteError && error.kind === 'unreachable');
  const { heading = HEADING, text }: FailureText = isUnreachable
    ? { heading: UNREACHABLE, text: message }
    : failureText(handle, message);

  /** Without a connection the document would be the browser's error page. */
  async function tryAgain(event: MouseEvent<HTMLAnchorElement>) {
    const { href } = event.currentTarget;
    event.preventDefault();
    if (await isReachable(href)) window.location.assign(href);
  }

  return (
    <StatusPage heading={heading}>
      <PageHead title={heading} description={text} noIndex />
      <p role="alert">{text}</p>
      <p>
        {/* A document request, which also loads the new chunks after a deploy. */}
        <a href={pathname + search} target="_self" onClick={tryAgain}>
          Try again
        </a>{' '}
        or <a href="/">go to the home page</a>.
      </p>
    </StatusPage>
  );
}

/** Texts of a page's error, from the page table. */
export interface FailureText {
  heading?: string;
  text: string;
}

function failureText(handle: unknown, message: string): FailureText {
  const failure =
    typeof handle === 'object' && handle !== null && 'failure' in handle ? handle.failure : null;
  const texts: unknown = typeof failure === 'function' ? failure(message) : null;
  return isFailureText(texts) ? texts : { text: message };
}

function isFailureText(value: unknown): value is FailureText {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}

import type { MouseEvent } from 'react';
import { useLocation, useMatches, useRouteError } from 'react-router';
import { Phrase } from '#client/components/phrase/phrase.tsx';
import { ChunkError, isReachable, useReloadOnce } from '#client/routing/load-chunk.ts';
import { isPage, isPlainClick } from '#client/routing/page-link.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';
import { useTexts } from './site-context.tsx';
import { NotFound, StatusPage } from './status-page.tsx';

/**
 * Renders the 404 page, or the error page of a route whose primary resource failed to load. Never shows an internal
 * message.
 */
export function ErrorBoundary() {
  const t = useTexts();
  const error = useRouteError();
  useReloadOnce(error);
  const { pathname, search } = useLocation();
  const handle: unknown = useMatches().at(-1)?.handle;
  if (error instanceof SiteError && error.kind === 'not-found') return <NotFound />;

  const message =
    error instanceof SiteError || error instanceof ChunkError ? error.message : en.somethingWrong;
  // The page's own texts say what the site responded: that there are no posts, for one.
  const isReported = error instanceof SiteError && error.kind !== 'unreachable';
  const { heading = en.pageUnavailable, text }: FailureText = isReported
    ? (isPage(handle) && handle.failure) || { text: message }
    : { heading: en.pageNotLoaded, text: message };
  const shown = t(text, { message: t(message) });

  /** Without a connection the document would be the browser's error page. */
  async function tryAgain(event: MouseEvent<HTMLAnchorElement>) {
    const { href } = event.currentTarget;
    if (!isPlainClick(event)) return;
    event.preventDefault();
    if (await isReachable(href)) window.location.assign(href);
  }

  return (
    <StatusPage heading={t(heading)}>
      <PageHead title={t(heading)} description={shown} noIndex />
      <p role="alert">{shown}</p>
      <p>
        {/* A document request, which also loads the new chunks after a deploy. */}
        <a href={pathname + search} target="_self" onClick={tryAgain}>
          {t(en.tryAgain)}
        </a>
        <Phrase text={t(en.orGoHome)}>
          <a href="/">{t(en.goHome)}</a>
        </Phrase>
      </p>
    </StatusPage>
  );
}

/** Texts of a page's error, from the page table. `{message}` in `text`: what the site said. */
export interface FailureText {
  heading?: string;
  text: string;
}

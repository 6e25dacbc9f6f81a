import type { ReactNode } from 'react';
import { Logo } from '#client/components/logo/logo.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';
import { SearchForm } from '#client/components/search-form/search-form.tsx';
import * as en from '#shared/texts/en.ts';
import './status-page.css';
import { PageHead } from '#client/seo/page-head.tsx';
import { useTexts } from './site-context.tsx';

/**
 * Renders a page without content of its own (404, error, empty topic): the logo, a heading, `children`, a search form, and
 * recent articles.
 */
export function StatusPage({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="page">
      <div className="status-page">
        <Logo />
        <h1>{heading}</h1>
        {children}
        <SearchForm />
      </div>
      <RecentPosts />
    </div>
  );
}

/** Renders the 404 page (texts: specification, section 2). */
export function NotFound() {
  const t = useTexts();
  return (
    <StatusPage heading={t(en.notFoundHeading)}>
      <PageHead title={t(en.notFoundHeading)} description={t(en.notFoundDescription)} noIndex />
      <p>{t(en.notFoundText)}</p>
      <a href="/">{t(en.goBackHome)}</a>
    </StatusPage>
  );
}

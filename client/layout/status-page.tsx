import type { ReactNode } from 'react';
import { Logo } from '#client/components/logo/logo.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';
import { SearchForm } from '#client/components/search-form/search-form.tsx';
import './status-page.css';

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

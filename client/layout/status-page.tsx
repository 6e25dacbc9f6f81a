import type { ReactNode } from 'react';
import { Logo } from '#client/components/logo/logo.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';
import './status-page.css';

/** A page that has no content of its own: the mark, a heading, a sentence, a way on, and recent articles. */
export function StatusPage({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="page">
      <div className="notice">
        <Logo />
        <h1>{heading}</h1>
        {children}
      </div>
      <RecentPosts />
    </div>
  );
}

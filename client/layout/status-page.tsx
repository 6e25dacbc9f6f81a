import type { ReactNode } from 'react';
import { Mark } from '#client/components/logo/logo.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';
import './status-page.css';

/** A page that has no content of its own: the mark, a heading, a sentence, a way on, and recent articles. */
export function Notice({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="page">
      <div className="notice">
        <Mark />
        <h1>{heading}</h1>
        {children}
      </div>
      <RecentPosts />
    </div>
  );
}

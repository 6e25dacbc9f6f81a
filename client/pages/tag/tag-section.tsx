import type { ReactNode } from 'react';
import type { PostSummary } from '#shared/models/post.ts';
import { topicPath } from '#shared/urls.ts';
import { SectionHeading } from '../../components/section-heading/section-heading.tsx';

export interface TagSectionProps {
  /** What the category menu scrolls to. */
  id: string;
  title: string;
  /** Category slug: the rule's tint and where See More leads. */
  section: string;
  posts: readonly PostSummary[];
  children: ReactNode;
}

/** A section of a tag page; an empty one says so (specification, section 2). */
export function TagSection({ id, title, section, posts, children }: TagSectionProps) {
  return (
    <section id={id} className="tag-section">
      <SectionHeading title={title} section={section} more={topicPath(posts[0]?.category ?? section)} />
      {posts.length > 0 ? children : <p className="empty">No Posts Available</p>}
    </section>
  );
}

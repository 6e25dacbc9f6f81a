import type { ReactNode } from 'react';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import { topicPath } from '#shared/urls.ts';

interface TagSectionProps {
  /** Target of the category menu. */
  id: string;
  title: string;
  /** Category slug: decides the tint and the target of See More. */
  section: string;
  posts: readonly PostSummary[];
  children: ReactNode;
}

/** Renders a section of a tag page, with a text where it is empty (specification, section 2). */
export function TagSection({ id, title, section, posts, children }: TagSectionProps) {
  return (
    <section id={id} className="tag-section">
      <SectionHeading title={title} section={section} more={topicPath(posts[0]?.category ?? section)} />
      {posts.length > 0 ? children : <p className="empty">No Posts Available</p>}
    </section>
  );
}

import type { ReactNode } from 'react';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import type { Section } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { topicPath } from '#shared/urls.ts';

interface TagSectionProps {
  /** Target of the category menu. */
  id: string;
  /** Category slug: decides whether the site has it, the label, the tint and the target of See More. */
  section: string;
  posts: readonly PostSummary[];
  children: ReactNode;
}

/** Returns the title of a section on tag pages. */
export function tagTitle({ label, titles }: Section): string {
  return titles?.tag ?? label;
}

/** Renders a section of a tag page, with a text where it is empty (specification, section 2). */
export function TagSection({ id, section, posts, children }: TagSectionProps) {
  const t = useTexts();
  const found = useSettings().sections.find(({ slug }) => slug === section);
  if (!found) return null;
  return (
    <section id={id} className="tag-section">
      <SectionHeading
        title={tagTitle(found)}
        section={section}
        more={topicPath(posts[0]?.category ?? section)}
      />
      {posts.length > 0 ? children : <p className="empty">{t(en.noPosts)}</p>}
    </section>
  );
}

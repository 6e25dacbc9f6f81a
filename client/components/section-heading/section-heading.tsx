import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import './section-heading.css';

interface SectionHeadingProps {
  title: string;
  /** Category slug: decides the tint. */
  section?: string;
  /** Path of See More; absent: no link. */
  more?: string;
}

/** Renders the head of a section: a rule, a title, and See More. */
export function SectionHeading({ title, section, more }: SectionHeadingProps) {
  const t = useTexts();
  return (
    <div className="section-heading" data-section={section}>
      <h2>{title}</h2>
      {more && (
        <a href={more} className="see-more">
          {t(en.seeMore)}
          <span className="visually-hidden"> {t(en.ofTitle, { title })}</span>
        </a>
      )}
    </div>
  );
}

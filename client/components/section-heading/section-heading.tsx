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
  return (
    <div className="section-heading" data-section={section}>
      <h2>{title}</h2>
      {more && <SeeMore href={more} title={title} />}
    </div>
  );
}

/** Renders the See More link of a section, or of a column of a menu. */
export function SeeMore({ href, title }: { href: string; title: string }) {
  const t = useTexts();
  return (
    <a href={href} className="see-more">
      {t(en.seeMore)}
      <span className="visually-hidden"> {t(en.ofTitle, { title })}</span>
    </a>
  );
}

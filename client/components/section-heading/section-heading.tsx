import './section-heading.css';

export interface SectionHeadingProps {
  title: string;
  /** Category slug: gives the rule its tint. */
  section?: string;
  /** Where See More leads. */
  more?: string;
  id?: string;
}

/** A section's opening: a rule, a small-caps title, and See More at the right. */
export function SectionHeading({ title, section, more, id }: SectionHeadingProps) {
  return (
    <div className="section-heading" data-section={section}>
      <h2 id={id}>{title}</h2>
      {more && (
        <a href={more} className="see-more">
          See More<span className="visually-hidden"> of {title}</span>
        </a>
      )}
    </div>
  );
}

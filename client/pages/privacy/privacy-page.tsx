import { Prose } from '#client/components/prose/prose.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import { longDate } from '#shared/dates.ts';
import { site } from '#shared/site.ts';
import { collectionSections } from './collection-sections.tsx';
import { rightsSections } from './rights-sections.tsx';
import './privacy-page.css';

const SECTIONS = [...collectionSections, ...rightsSections];

/** Renders the privacy policy. Keep its texts true when the handling of data changes. */
export function Page() {
  return (
    <Prose
      title="Privacy Policy"
      deck={`What ${site.name} knows about its readers, why, and for how long. In force since ${longDate(site.privacyUpdated)}.`}
      aside={<Contents />}
    >
      <PageHead
        title="Privacy Policy"
        description={`What ${site.name} does with your data, and what it does not.`}
        path="/privacy-policy"
      />
      {SECTIONS.map(({ id, title, text }) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          {text}
        </section>
      ))}
    </Prose>
  );
}

function Contents() {
  return (
    <nav className="privacy-contents" aria-labelledby="privacy-contents">
      <h2 className="ruled-heading" id="privacy-contents">
        In this policy
      </h2>
      <ol>
        {SECTIONS.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

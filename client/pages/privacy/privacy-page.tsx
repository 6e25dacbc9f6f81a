import { Prose } from '#client/components/prose/prose.tsx';
import { useSettings } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import { longDate } from '#shared/dates.ts';
import { collectionSections } from './collection-sections.tsx';
import type { PrivacySection } from './privacy-section.ts';
import { rightsSections } from './rights-sections.tsx';
import './privacy-page.css';

/** Renders the privacy policy. Keep its texts true when the handling of data changes. */
export function Page() {
  const site = useSettings();
  const sections = [...collectionSections(site), ...rightsSections(site)];
  return (
    <Prose
      title="Privacy Policy"
      deck={`What ${site.name} knows about its readers, why, and for how long. In force since ${longDate(site.privacyUpdated)}.`}
      aside={<Contents sections={sections} />}
    >
      <PageHead
        title="Privacy Policy"
        description={`What ${site.name} does with your data, and what it does not.`}
        path="/privacy-policy"
      />
      {sections.map(({ id, title, text }) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          {text}
        </section>
      ))}
    </Prose>
  );
}

function Contents({ sections }: { sections: readonly PrivacySection[] }) {
  return (
    <nav className="privacy-contents" aria-labelledby="privacy-contents">
      <h2 className="ruled-heading" id="privacy-contents">
        In this policy
      </h2>
      <ol>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

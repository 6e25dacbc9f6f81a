import { Prose } from '#client/components/prose/prose.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import { longDate } from '#shared/dates.ts';
import * as en from '#shared/texts/en.ts';
import { collectionSections } from './collection-sections.tsx';
import type { PrivacySection } from './privacy-section.ts';
import { rightsSections } from './rights-sections.tsx';
import './privacy-page.css';

/** Renders the privacy policy. Keep its texts true when the handling of data changes. */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const lang = useEnglish();
  const sections = [...collectionSections(site), ...rightsSections(site)];
  return (
    <Prose
      title={t(en.privacyPolicy)}
      deck={t(en.privacyDeck, { name: site.name, date: longDate(site.privacyUpdated, t) })}
      aside={<Contents sections={sections} />}
    >
      <PageHead
        title={t(en.privacyPolicy)}
        description={t(en.privacyDescription, { name: site.name })}
        path="/privacy-policy"
      />
      {sections.map(({ id, title, text }) => (
        <section key={id} aria-labelledby={id} lang={lang}>
          <h2 id={id}>{title}</h2>
          {text}
        </section>
      ))}
    </Prose>
  );
}

function Contents({ sections }: { sections: readonly PrivacySection[] }) {
  const t = useTexts();
  const lang = useEnglish();
  return (
    <nav className="privacy-contents" aria-labelledby="privacy-contents">
      <h2 className="ruled-heading" id="privacy-contents">
        {t(en.inThisPolicy)}
      </h2>
      <ol lang={lang}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Returns the language of the policy where the site has another one: it is the default publication's, and not translated. */
function useEnglish(): 'en' | undefined {
  return useSettings().language.startsWith('en') ? undefined : 'en';
}

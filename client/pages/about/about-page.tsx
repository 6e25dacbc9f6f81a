import { Prose } from '#client/components/prose/prose.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { TitledText } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { DEFAULT_PHOTO } from '#shared/urls.ts';
import './about-page.css';

/** Where the site folder has no others. */
const DEFAULT_STANDARDS: readonly TitledText[] = [
  { title: en.corrections, text: en.correctionsText },
  { title: en.advertising, text: en.advertisingText },
  { title: en.ownership, text: en.ownershipText },
];

/** Renders the About page: mission, standards and team. */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  return (
    <Prose
      title={t(en.aboutSite, { name: site.name })}
      deck={t(en.aboutDeck, { tagline: site.tagline, year: String(site.foundedYear) })}
      aside={<Team />}
    >
      <PageHead
        title={t(en.aboutUs)}
        description={t(en.aboutDescription, { name: site.name })}
        path="/about"
      />
      {site.mission.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {(site.standards ?? DEFAULT_STANDARDS).map(({ title, text }) => (
        <section key={title}>
          <h2>{t(title)}</h2>
          <p>{t(text)}</p>
        </section>
      ))}
    </Prose>
  );
}

function Team() {
  const t = useTexts();
  const site = useSettings();
  return (
    <section aria-labelledby="team">
      <h2 className="ruled-heading" id="team">
        {t(en.theTeam)}
      </h2>
      <ul className="about-team">
        {site.team.map(({ name, role, photo }) => (
          <li key={name}>
            <img src={photo ?? DEFAULT_PHOTO} alt="" width={72} height={72} loading="lazy" />
            <div>
              <p className="about-name">{name}</p>
              <p className="about-role">{role}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

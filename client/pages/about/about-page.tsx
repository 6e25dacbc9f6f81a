import { Prose } from '#client/components/prose/prose.tsx';
import { useSettings } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { TitledText } from '#shared/site.ts';
import './about-page.css';

/** For whom no portrait is named. */
const DEFAULT_PHOTO = '/default-author.svg';

/** Where the site folder has no others. */
const DEFAULT_STANDARDS: readonly TitledText[] = [
  {
    title: 'Corrections',
    text: 'A mistake is corrected where it was made, and the correction says what was wrong. Write to the editors: one of them answers within two working days.',
  },
  {
    title: 'Advertising',
    text: 'Advertisements are labelled, stand apart from the text and are sold by people who do not write. Nobody pays for coverage, and no advertiser sees an article before its readers do.',
  },
  {
    title: 'Ownership',
    text: 'The publisher lives on advertising and conferences. No vendor holds a share in it.',
  },
];

/** Renders the About page: mission, standards and team. */
export function Page() {
  const site = useSettings();
  return (
    <Prose title={`About ${site.name}`} deck={`${site.tagline}, since ${site.foundedYear}.`} aside={<Team />}>
      <PageHead title="About Us" description={`What ${site.name} is for, and who makes it.`} path="/about" />
      {site.mission.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {(site.standards ?? DEFAULT_STANDARDS).map(({ title, text }) => (
        <section key={title}>
          <h2>{title}</h2>
          <p>{text}</p>
        </section>
      ))}
    </Prose>
  );
}

function Team() {
  const site = useSettings();
  return (
    <section aria-labelledby="team">
      <h2 className="ruled-heading" id="team">
        The team
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

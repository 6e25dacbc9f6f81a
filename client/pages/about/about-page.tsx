import { Prose } from '#client/components/prose/prose.tsx';
import { useSettings } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import './about-page.css';

/** Renders the About page: mission and team. */
export function Page() {
  const site = useSettings();
  return (
    <Prose title={`About ${site.name}`} deck={`${site.tagline}, since ${site.foundedYear}.`} aside={<Team />}>
      <PageHead title="About Us" description={`What ${site.name} is for, and who makes it.`} path="/about" />
      {site.mission.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
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
        {site.team.map(({ name, role }) => (
          <li key={name}>
            <p className="about-name">{name}</p>
            <p className="about-role">{role}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

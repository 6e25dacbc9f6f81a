import { site } from '#shared/site.ts';
import { Prose } from '../../components/prose/prose.tsx';
import { PageHead } from '../../layout/page-head.tsx';
import './about-page.css';

/** The publication's mission and the people behind it. */
export function Page() {
  return (
    <Prose title={`About ${site.name}`}>
      <PageHead title="About Us" description={site.description} path="/about" />
      {site.mission.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <h2>The team</h2>
      <ul className="about-team">
        {site.team.map(({ name, role }) => (
          <li key={name}>
            <span className="about-name">{name}</span>
            <span className="about-role">{role}</span>
          </li>
        ))}
      </ul>
    </Prose>
  );
}

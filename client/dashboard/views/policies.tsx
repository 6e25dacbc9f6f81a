import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age } from '#client/dashboard/elements/format.ts';
import type { ViewProps } from '#client/dashboard/layout.tsx';
import { AGES } from '#client/dashboard/policies/policy-fields.ts';
import { PolicyForm } from '#client/dashboard/policies/policy-form.tsx';
import type { LiveResource } from '#shared/models/metrics.ts';

/** The ages of one resource: in force, configured, and what others would do. `#/ages/topic/120/600/86400` proposes ttl, swr and sie. */
export function PoliciesView({ api, live, words: [named, ...proposed] }: ViewProps) {
  const resources = live.metrics?.resources;
  if (!resources) return <p className="about">Waiting for the first metrics…</p>;
  const name = named !== undefined && Object.hasOwn(resources, named) ? named : 'article';
  const resource = resources[name];
  return (
    <div className="columns">
      <nav aria-label="Resources" className="choices">
        <ul>
          {Object.entries(resources).map(([other, { policy, changed }]) => (
            <li key={other}>
              <a href={`#/ages/${other}`} aria-current={other === name ? 'true' : undefined}>
                {other}
                <span>
                  {changed && <b className="badge">changed</b>} {age(policy.ttl)}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {resource && (
        <section aria-labelledby="ages-title">
          <h2 id="ages-title">{name}</h2>
          <PolicyForm key={name} api={api} name={name} resource={resource} proposed={proposed}>
            <AgesTable resource={resource} />
          </PolicyForm>
        </section>
      )}
    </div>
  );
}

const MEANINGS = {
  ttl: 'fresh',
  swr: 'then stale, while it is refreshed',
  sie: 'then stale, while the refresh fails',
} as const;

function AgesTable({ resource: { policy, configured } }: { resource: LiveResource }) {
  return (
    <table className="numbers">
      <thead>
        <tr>
          <th scope="col">age</th>
          <th scope="col">in force</th>
          <th scope="col">configured</th>
          <th scope="col" className="words">
            means
          </th>
        </tr>
      </thead>
      <tbody>
        {AGES.map((name) => (
          <tr key={name}>
            <th scope="row">
              <Explained name={name}>{name}</Explained>
            </th>
            <td data-explains={name} className={policy[name] === configured[name] ? '' : 'differs'}>
              {age(policy[name])}
            </td>
            <td data-explains={name}>{age(configured[name])}</td>
            <td className="words">{MEANINGS[name]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

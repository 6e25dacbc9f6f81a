import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age } from '#client/dashboard/elements/format.ts';
import { FIELD_LABELS, POLICY_FIELDS } from '#client/dashboard/policies/policy-fields.ts';
import { PolicyForm } from '#client/dashboard/policies/policy-form.tsx';
import type { ViewProps } from '#client/dashboard/use-view.ts';
import type { LiveResource } from '#shared/models/metrics.ts';

/**
 * Shows and changes the policy of one resource, and what other TTLs would do. `#/policies/topic/120/600/86400` proposes
 * TTL, SWR and SIE.
 */
export function PoliciesView({ api, live, params: [named, ...proposed] }: ViewProps) {
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
              <a href={`#/policies/${other}`} aria-current={other === name ? 'true' : undefined}>
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
        <section aria-labelledby="policy-title">
          <h2 id="policy-title">{name}</h2>
          <PolicyForm key={name} api={api} name={name} resource={resource} proposed={proposed}>
            <PolicyTable resource={resource} />
          </PolicyForm>
        </section>
      )}
    </div>
  );
}

const MEANINGS = {
  ttl: 'fresh',
  swr: 'then stale while a refresh runs',
  sie: 'then stale while the refresh fails',
} as const;

function PolicyTable({ resource: { policy, configured } }: { resource: LiveResource }) {
  return (
    <table className="numbers">
      <thead>
        <tr>
          <th scope="col">Policy</th>
          <th scope="col">In force</th>
          <th scope="col">Configured</th>
          <th scope="col" className="words">
            Meaning
          </th>
        </tr>
      </thead>
      <tbody>
        {POLICY_FIELDS.map((name) => (
          <tr key={name}>
            <th scope="row">
              <Explained name={name}>{FIELD_LABELS[name]}</Explained>
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

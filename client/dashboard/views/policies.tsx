import { useParams } from 'react-router';
import { age } from '#client/dashboard/elements/format.ts';
import { LinkList } from '#client/dashboard/elements/link-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { PolicyForm } from '#client/dashboard/policies/policy-form.tsx';
import type { LiveResource } from '#shared/models/metrics.ts';

/**
 * Shows and changes the policy of one resource, and what other TTLs would do. `#/policies/topic/120/600/86400` proposes
 * TTL, SWR and SIE.
 */
export function Component() {
  const { resource: named = '', ...proposed } = useParams();
  const resources = useLive(({ metrics }) => metrics?.resources);
  if (!resources) return <p className="about">Waiting for the first metrics…</p>;
  const name = Object.hasOwn(resources, named) ? named : 'article';
  const resource = resources[name];
  const links = Object.entries(resources).map(([other, shown]) => ({
    to: `/policies/${other}`,
    text: <ResourceLink name={other} resource={shown} />,
  }));
  return (
    <div className="columns">
      <LinkList label="Resources" className="choices" current={`/policies/${name}`} links={links} />
      {resource && (
        <Panel title={name} section="Policies">
          <PolicyForm key={name} name={name} resource={resource} proposed={proposed} />
        </Panel>
      )}
    </div>
  );
}

function ResourceLink({ name, resource: { policy, changed } }: { name: string; resource: LiveResource }) {
  return (
    <>
      {name}
      <span>
        {changed && <b className="badge">changed</b>} {age(policy.ttl)}
      </span>
    </>
  );
}

import { useParams } from 'react-router';
import { age } from '#client/dashboard/elements/format.ts';
import { LinkList } from '#client/dashboard/elements/link-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { PolicyForm } from '#client/dashboard/policies/policy-form.tsx';

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
  const links = Object.entries(resources).map(([other, { policy, changed }]) => ({
    to: `/policies/${other}`,
    text: other,
    note: `${changed ? 'changed: ' : ''}${age(policy.ttl)}`,
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

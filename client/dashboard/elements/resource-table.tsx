import { useRef, useState } from 'react';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { CachePolicy, LiveMetrics, LiveResource } from '#shared/models/metrics.ts';
import { Explained } from './explained.tsx';
import { EXPLANATIONS, type ExplanationName } from './explanations.ts';
import { age, bytes, count, percent } from './format.ts';
import { MetricNames } from './metric-names.tsx';
import { useRovingCells } from './use-roving-cells.ts';

interface Column {
  title: string;
  explains: ExplanationName;
  of: (resource: LiveResource) => string;
  isAlarming?: (resource: LiveResource) => boolean;
}

/** A value of the policy in force; the configured one behind an arrow where it differs. */
function policyColumn(title: string, name: keyof CachePolicy): Column {
  return {
    title,
    explains: name,
    of: ({ policy, configured }) =>
      policy[name] === configured[name]
        ? age(policy[name])
        : `${age(policy[name])} ← ${age(configured[name])}`,
  };
}

const COLUMNS: Column[] = [
  policyColumn('TTL', 'ttl'),
  policyColumn('SWR', 'swr'),
  policyColumn('SIE', 'sie'),
  { title: 'Entries', explains: 'entries', of: ({ entries }) => count(entries) },
  { title: 'Size', explains: 'size', of: (resource) => bytes(resource.bytes) },
  { title: 'Hit ratio', explains: 'hitRatio', of: ({ lastMinute }) => percent(lastMinute.hitRatio) },
  {
    title: 'Stale ratio',
    explains: 'resourceStaleRatio',
    of: ({ lastMinute }) => percent(lastMinute.staleRatio),
    isAlarming: ({ lastMinute }) => isAlarming('staleRatio', lastMinute.staleRatio),
  },
  { title: 'Reads/min', explains: 'reads', of: ({ lastMinute }) => count(lastMinute.reads) },
  {
    title: 'Upstream requests/min',
    explains: 'loads',
    of: ({ lastMinute }) => count(lastMinute.upstreamRequests),
  },
  {
    title: 'Errors/min',
    explains: 'loadErrors',
    of: ({ lastMinute }) => count(lastMinute.errors),
    isAlarming: ({ lastMinute: { errors, upstreamRequests } }) =>
      isAlarming('upstreamErrorRatio', (errors ?? 0) / Math.max(upstreamRequests ?? 0, errors ?? 0, 1)),
  },
];

/** Renders every resource with its policy, its size, and the last minute. */
export function ResourceTable({ metrics }: { metrics: LiveMetrics }) {
  const table = useRef<HTMLTableElement>(null);
  const onKeyDown = useRovingCells(table);
  // Rows must not move under the pointer or the focus.
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const order = held ?? worstFirst(metrics.resources);
  const resources = order.flatMap((name): [string, LiveResource][] => {
    const resource = metrics.resources[name];
    return resource ? [[name, resource]] : [];
  });
  const hold = () => setHeld((before) => before ?? order);
  const release = () => setHeld(null);
  const sum = (of: (resource: LiveResource) => number) =>
    resources.reduce((total, [, resource]) => total + of(resource), 0);
  return (
    <section aria-labelledby="resources-title">
      <h2 id="resources-title">Resources</h2>
      <p className="about">
        Rates and ratios are of the last minute. Most errors first, then most upstream requests; the order
        holds while you point at the table or move through it. A name opens its policy; arrow keys move from
        cell to cell.
      </p>
      <MetricNames names={COLUMNS.map(({ explains }) => EXPLANATIONS[explains].metric)} />
      <div className="scroll">
        <table
          ref={table}
          className="numbers"
          aria-labelledby="resources-title"
          onKeyDown={onKeyDown}
          onPointerEnter={hold}
          onPointerLeave={release}
          onFocus={hold}
          onBlur={release}
        >
          <thead>
            <tr>
              <th scope="col">Resource</th>
              {COLUMNS.map(({ title, explains }) => (
                <th key={title} scope="col">
                  <Explained name={explains} cell>
                    {title}
                  </Explained>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {resources.map(([name, resource]) => (
              <ResourceRow key={name} name={name} resource={resource} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">cached pages</th>
              <td colSpan={3} />
              <td data-explains="entries">{count(metrics.pages.entries)}</td>
              <td data-explains="size">{bytes(metrics.pages.bytes)}</td>
              <td colSpan={5} />
            </tr>
            <tr>
              <th scope="row">all resources</th>
              <td colSpan={3} />
              <td data-explains="entries">{count(sum(({ entries }) => entries))}</td>
              <td data-explains="size">{bytes(sum((resource) => resource.bytes))}</td>
              <td colSpan={2} />
              <td data-explains="reads">{count(sum(({ lastMinute }) => lastMinute.reads ?? 0))}</td>
              <td data-explains="loads">
                {count(sum(({ lastMinute }) => lastMinute.upstreamRequests ?? 0))}
              </td>
              <td data-explains="loadErrors">{count(sum(({ lastMinute }) => lastMinute.errors ?? 0))}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

/** Returns the names of the resources: most errors first, then most upstream requests; of equals, in their own order. */
function worstFirst(resources: LiveMetrics['resources']): string[] {
  return Object.entries(resources)
    .sort(
      ([, { lastMinute: one }], [, { lastMinute: other }]) =>
        (other.errors ?? 0) - (one.errors ?? 0) ||
        (other.upstreamRequests ?? 0) - (one.upstreamRequests ?? 0),
    )
    .map(([name]) => name);
}

function ResourceRow({ name, resource }: { name: string; resource: LiveResource }) {
  return (
    <tr>
      <th scope="row">
        <a
          href={`#/policies/${name}`}
          data-explains="resource"
          data-cell
          tabIndex={-1}
          aria-describedby="explains-resource"
        >
          {name}
        </a>
        {resource.changed && <span className="badge">changed</span>}
      </th>
      {COLUMNS.map(({ title, explains, of, isAlarming: isBad }) => (
        <td key={title}>
          <Explained name={explains} cell className={isBad?.(resource) ? 'alarming' : ''}>
            {of(resource)}
          </Explained>
        </td>
      ))}
    </tr>
  );
}

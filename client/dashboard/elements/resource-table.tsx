import { useRef } from 'react';
import type { LiveMetrics, LiveResource } from '#shared/models/metrics.ts';
import { Explained } from './explained.tsx';
import type { ExplanationName } from './explanations.ts';
import { age, bytes, count, percent } from './format.ts';
import { useRovingCells } from './use-roving-cells.ts';

interface Column {
  title: string;
  explains: ExplanationName;
  of: (resource: LiveResource) => string;
  isAlarming?: (resource: LiveResource) => boolean;
}

/** An age in force; the configured one behind an arrow where it is another. */
function ageColumn(name: 'ttl' | 'swr' | 'sie'): Column {
  return {
    title: name,
    explains: name,
    of: ({ policy, configured }) =>
      policy[name] === configured[name]
        ? age(policy[name])
        : `${age(policy[name])} ← ${age(configured[name])}`,
  };
}

const COLUMNS: Column[] = [
  ageColumn('ttl'),
  ageColumn('swr'),
  ageColumn('sie'),
  { title: 'entries', explains: 'entries', of: ({ entries }) => count(entries) },
  { title: 'size', explains: 'bytes', of: (resource) => bytes(resource.bytes) },
  { title: 'from memory', explains: 'hitRatio', of: ({ minute }) => percent(minute.hitRatio) },
  { title: 'stale', explains: 'staleShare', of: ({ minute }) => percent(minute.staleRatio) },
  { title: 'reads / min', explains: 'reads', of: ({ minute }) => count(minute.readsPerMinute) },
  { title: 'calls / min', explains: 'cost', of: ({ minute }) => count(minute.callsPerMinute) },
  {
    title: 'errors / min',
    explains: 'errors',
    of: ({ minute }) => count(minute.errorsPerMinute),
    isAlarming: ({ minute }) => (minute.errorsPerMinute ?? 0) > 0,
  },
];

/** Every resource with its ages, what it holds, and what the last minute was like. */
export function ResourceTable({ metrics }: { metrics: LiveMetrics }) {
  const table = useRef<HTMLTableElement>(null);
  const onKeyDown = useRovingCells(table);
  const resources = Object.entries(metrics.resources);
  const sum = (of: (resource: LiveResource) => number) =>
    resources.reduce((total, [, resource]) => total + of(resource), 0);
  return (
    <section aria-labelledby="resources-title">
      <h2 id="resources-title">Resources</h2>
      <p className="about">
        Rates and ratios are of the last minute. A name leads to its ages; arrow keys lead through the table.
      </p>
      <div className="scroll">
        <table ref={table} className="numbers" aria-labelledby="resources-title" onKeyDown={onKeyDown}>
          <thead>
            <tr>
              <th scope="col">resource</th>
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
              <th scope="row">finished pages</th>
              <td colSpan={3} />
              <td data-explains="entries">{count(metrics.pages.entries)}</td>
              <td data-explains="bytes">{bytes(metrics.pages.bytes)}</td>
              <td colSpan={5} />
            </tr>
            <tr>
              <th scope="row">all data</th>
              <td colSpan={3} />
              <td data-explains="entries">{count(sum(({ entries }) => entries))}</td>
              <td data-explains="bytes">{bytes(sum((resource) => resource.bytes))}</td>
              <td colSpan={2} />
              <td data-explains="reads">{count(sum(({ minute }) => minute.readsPerMinute ?? 0))}</td>
              <td data-explains="cost">{count(sum(({ minute }) => minute.callsPerMinute ?? 0))}</td>
              <td data-explains="errors">{count(sum(({ minute }) => minute.errorsPerMinute ?? 0))}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

function ResourceRow({ name, resource }: { name: string; resource: LiveResource }) {
  return (
    <tr>
      <th scope="row">
        <a
          href={`#/ages/${name}`}
          data-explains="resource"
          data-cell
          tabIndex={-1}
          aria-describedby="explains-resource"
        >
          {name}
        </a>
        {resource.changed && <span className="badge">changed</span>}
      </th>
      {COLUMNS.map(({ title, explains, of, isAlarming }) => (
        <td key={title}>
          <Explained name={explains} cell className={isAlarming?.(resource) ? 'alarming' : ''}>
            {of(resource)}
          </Explained>
        </td>
      ))}
    </tr>
  );
}

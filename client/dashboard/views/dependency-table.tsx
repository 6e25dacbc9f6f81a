import { useId } from 'react';
import type { ExplainedDependency } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age, bytes } from '#client/dashboard/elements/format.ts';

/** Renders upstream responses with their state in the cache. A tag links to its purge. */
export function DependencyTable({
  title,
  dependencies,
}: {
  title: string;
  dependencies: ExplainedDependency[];
}) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {dependencies.length === 0 ? (
        <p className="about">Its dependencies are not known: it was not rendered since the start.</p>
      ) : (
        <div className="scroll">
          <table className="numbers" aria-labelledby={id}>
            <thead>
              <tr>
                <th scope="col">Response</th>
                <th scope="col">State</th>
                <th scope="col">
                  <Explained name="dependencyAge">Age</Explained>
                </th>
                <th scope="col">
                  <Explained name="refreshDue">Refresh due in</Explained>
                </th>
                <th scope="col">
                  <Explained name="size">Size</Explained>
                </th>
                <th scope="col" className="words">
                  Why
                </th>
                <th scope="col" className="words">
                  Tags
                </th>
              </tr>
            </thead>
            <tbody>
              {dependencies.map((dependency) => (
                <DependencyRow key={dependency.key} dependency={dependency} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const SHOWN_TAGS = 5;

function DependencyRow({ dependency }: { dependency: ExplainedDependency }) {
  const { key, state, ageSeconds, nextRefreshSeconds, why, lastError } = dependency;
  const tags = [...new Set(dependency.tags)];
  return (
    <tr>
      <th scope="row" className="key">
        {key}
      </th>
      <td className={state === 'fresh' ? 'good' : 'warn'}>{state}</td>
      <td data-explains="dependencyAge">{age(rounded(ageSeconds))}</td>
      <td data-explains="refreshDue">{age(rounded(nextRefreshSeconds))}</td>
      <td data-explains="size">{bytes(dependency.bytes)}</td>
      <td className="words why">
        {why}
        {lastError && (
          <span className="bad">
            {' '}
            {lastError.message}, {age(Math.round(lastError.secondsAgo))} ago.
          </span>
        )}
      </td>
      <td className="words tags">
        {tags.slice(0, SHOWN_TAGS).map((tag) => (
          <a key={tag} href={`#/purge/${encodeURIComponent(tag)}`} aria-label={`Purge ${tag}`}>
            {tag}
          </a>
        ))}
        {tags.length > SHOWN_TAGS && ` and ${tags.length - SHOWN_TAGS} more`}
      </td>
    </tr>
  );
}

const rounded = (seconds: number | null) => (seconds === null ? null : Math.round(seconds));

import { useId } from 'react';
import type { ExplainedPart } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age, bytes } from '#client/dashboard/elements/format.ts';

/** Upstream answers with how they stand. A tag leads to its purge. */
export function ExplainedEntries({ title, parts }: { title: string; parts: ExplainedPart[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {parts.length === 0 ? (
        <p className="about">Nothing is known of its parts.</p>
      ) : (
        <div className="scroll">
          <table className="numbers" aria-labelledby={id}>
            <thead>
              <tr>
                <th scope="col">response</th>
                <th scope="col">state</th>
                <th scope="col">
                  <Explained name="partAge">age</Explained>
                </th>
                <th scope="col">
                  <Explained name="partDue">refresh due in</Explained>
                </th>
                <th scope="col">
                  <Explained name="bytes">size</Explained>
                </th>
                <th scope="col" className="words">
                  why
                </th>
                <th scope="col" className="words">
                  tags
                </th>
              </tr>
            </thead>
            <tbody>
              {parts.map((part) => (
                <PartRow key={part.key} part={part} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const SHOWN_TAGS = 5;

function PartRow({ part }: { part: ExplainedPart }) {
  const { key, state, ageSeconds, nextRefreshSeconds, why, lastError } = part;
  const tags = [...new Set(part.tags)];
  return (
    <tr>
      <th scope="row" className="key">
        {key}
      </th>
      <td className={state === 'fresh' ? 'good' : 'warn'}>{state}</td>
      <td data-explains="partAge">{age(rounded(ageSeconds))}</td>
      <td data-explains="partDue">{age(rounded(nextRefreshSeconds))}</td>
      <td data-explains="bytes">{bytes(part.bytes)}</td>
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

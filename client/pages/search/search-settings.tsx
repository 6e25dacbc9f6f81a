import { useEffect, useId, useState } from 'react';
import { forgetSearches, isSlashOn, recentSearches, turnSlash } from '#client/layout/recent-searches.ts';
import { searchPath } from '#shared/urls.ts';

/** What this browser remembers of a reader's searches, and what they decide about it. Nothing without scripts: there is nothing then. */
export function SearchSettings({ term }: { term: string }) {
  const [settings, setSettings] = useState<{ slash: boolean; others: string[] } | null>(null);
  const id = useId();
  const look = () =>
    setSettings({ slash: isSlashOn(), others: recentSearches().filter((other) => other !== term) });
  useEffect(look, [term]);
  // Its place is kept: nothing below it moves when it comes.
  if (!settings) return <div className="search-settings" />;
  return (
    <div className="search-settings">
      <label>
        <input
          type="checkbox"
          checked={settings.slash}
          onChange={({ target }) => {
            turnSlash(target.checked);
            look();
          }}
        />
        The key <kbd>/</kbd> leads to the search box
      </label>
      {settings.others.length > 0 && (
        <>
          <span id={id}>Recent searches</span>
          <ul aria-labelledby={id}>
            {settings.others.map((other) => (
              <li key={other}>
                <a href={searchPath('all', other)}>{other}</a>
              </li>
            ))}
          </ul>
          <button
            type="button"
            onClick={() => {
              forgetSearches();
              look();
            }}
          >
            Forget recent searches
          </button>
        </>
      )}
      <p>This is kept in this browser only.</p>
    </div>
  );
}

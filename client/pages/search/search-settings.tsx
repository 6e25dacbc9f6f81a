import { useEffect, useId, useState } from 'react';
import {
  forgetSearches,
  isSlashEnabled,
  recentSearches,
  setSlashEnabled,
} from '#client/layout/recent-searches.ts';
import { searchPath } from '#shared/urls.ts';

/**
 * Renders the settings of the search box: the / key and the recent searches of this browser. Empty until it is mounted.
 */
export function SearchSettings({ term }: { term: string }) {
  const [settings, setSettings] = useState<{ slash: boolean; others: string[] } | null>(null);
  const id = useId();
  const update = () =>
    setSettings({ slash: isSlashEnabled(), others: recentSearches().filter((other) => other !== term) });
  useEffect(update, [term]);
  // The empty element reserves the space.
  if (!settings) return <div className="search-settings" />;
  return (
    <div className="search-settings">
      <label>
        <input
          type="checkbox"
          checked={settings.slash}
          onChange={({ target }) => {
            setSlashEnabled(target.checked);
            update();
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
              update();
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

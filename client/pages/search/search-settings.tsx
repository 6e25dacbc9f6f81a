import { useId, useState } from 'react';
import { Phrase } from '#client/components/phrase/phrase.tsx';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import {
  forgetSearches,
  isSlashEnabled,
  recentSearches,
  setSlashEnabled,
} from '#client/layout/header/recent-searches.ts';
import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { searchPath } from '#shared/urls.ts';

/**
 * Renders the settings of the search box: the / key and the recent searches of this browser. Empty until it is hydrated.
 */
export function SearchSettings({ term }: { term: string }) {
  // The empty element reserves the space.
  return useHydrated() ? <Settings key={term} term={term} /> : <div className="search-settings" />;
}

function Settings({ term }: { term: string }) {
  const t = useTexts();
  const [slash, setSlash] = useState(isSlashEnabled);
  const [others, setOthers] = useState(() => recentSearches().filter((other) => other !== term));
  const id = useId();
  return (
    <div className="search-settings">
      <label>
        <input
          type="checkbox"
          checked={slash}
          onChange={({ target }) => {
            setSlashEnabled(target.checked);
            setSlash(target.checked);
          }}
        />
        <Phrase text={t(en.slashKey)}>
          <kbd>/</kbd>
        </Phrase>
      </label>
      {others.length > 0 && (
        <>
          <span id={id}>{t(en.recentSearches)}</span>
          <ul aria-labelledby={id}>
            {others.map((other) => (
              <li key={other}>
                <a href={searchPath('all', other)} dir="auto">
                  {other}
                </a>
              </li>
            ))}
          </ul>
          <button
            type="button"
            onClick={() => {
              forgetSearches();
              setOthers([]);
            }}
          >
            {t(en.forgetSearches)}
          </button>
        </>
      )}
      <p>{t(en.keptInBrowser)}</p>
    </div>
  );
}

import { useLayoutEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation, useParams } from 'react-router';
import { Wordmark } from '#client/layout/wordmark.tsx';
import { site } from '#shared/site.ts';
import { useReadOnly } from './api/session.ts';
import { changeToken, storedToken } from './api/token.ts';
import { StatusStrip } from './live/status-strip.tsx';
import { ModeBanner } from './mode-banner.tsx';
import { VIEWS } from './views.ts';

/** Renders the navigation, the status and the view in the address bar. */
export function Layout() {
  const isReadOnly = useReadOnly();
  const title = useTitle();
  return (
    <>
      <button type="button" className="skip-link" onClick={focusView}>
        Skip to the view
      </button>
      <header className="bar">
        <NavLink className="bar-name" to="/overview" aria-label={`Dashboard of ${site.name}`}>
          <Wordmark />
        </NavLink>
        <nav aria-label="Views">
          <ul>
            {VIEWS.map((view) => (
              <li key={view.name}>
                <NavLink to={`/${view.name}`}>{view.title}</NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <StatusStrip />
        {isReadOnly && <span className="badge">read only</span>}
        {storedToken() !== null && (
          <button type="button" onClick={() => changeToken(null)}>
            Sign out
          </button>
        )}
      </header>
      {/* The result of ending a mode is shown until another view is opened. */}
      <ModeBanner key={title} />
      <main id="view" tabIndex={-1}>
        <h1 tabIndex={-1}>{title}</h1>
        <Outlet key={Object.values(useParams()).join('/')} />
      </main>
    </>
  );
}

/** Returns the title of the view in the address bar. On a change its heading gets the focus, as a new page's would. */
function useTitle(): string {
  const [, name] = useLocation().pathname.split('/');
  const { title } = VIEWS.find((view) => view.name === name) ?? { title: '' };
  const shown = useRef(title);
  // Before the effects of the view, which may scroll.
  useLayoutEffect(() => {
    document.title = `${title} | Cockpit`;
    if (shown.current === title) return;
    shown.current = title;
    window.scrollTo(0, 0);
    document.querySelector('h1')?.focus();
  }, [title]);
  return title;
}

/** A link would change the fragment, which names the view. */
function focusView(): void {
  document.getElementById('view')?.focus();
}

import { useLayoutEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { Wordmark } from '#client/components/logo/logo.tsx';
import { defaultSite as site } from '#shared/site.ts';
import { changeToken, storedToken, useReadOnly } from './api/ops-api.ts';
import { ModeBanner } from './cache/mode-form-and-banner.tsx';
import { clockTime } from './elements/format.ts';
import { useLive } from './samples/use-samples.ts';

/** Titles of the views, by the first segment of their address. */
const VIEWS = { overview: 'Overview', cache: 'Cache', messages: 'Messages', changes: 'Changes' };

/** Renders the navigation, the status and the view in the address bar. */
export function Layout() {
  const isReadOnly = useReadOnly();
  const [, name] = useLocation().pathname.split('/');
  const [, title = ''] = Object.entries(VIEWS).find(([view]) => view === name) ?? [];
  useTitle(title);
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
            {Object.entries(VIEWS).map(([view, label]) => (
              <li key={view}>
                <NavLink to={`/${view}`}>{label}</NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <StatusStrip />
        {isReadOnly && <span className="warn">read only</span>}
        {storedToken() !== null && (
          <button type="button" onClick={() => changeToken(null)}>
            Sign out
          </button>
        )}
      </header>
      <ModeBanner />
      <main id="view" tabIndex={-1}>
        <h1 tabIndex={-1} className="visually-hidden">
          {title}
        </h1>
        <Outlet />
      </main>
    </>
  );
}

/** Sets the document's title. On a change the view's heading gets the focus, as a new page's would. */
function useTitle(title: string): void {
  const shown = useRef(title);
  useLayoutEffect(() => {
    document.title = `${title} | Cockpit`;
    if (shown.current === title) return;
    shown.current = title;
    window.scrollTo(0, 0);
    document.querySelector('h1')?.focus();
  }, [title]);
}

/** A link would change the fragment, which names the view. */
function focusView(): void {
  document.getElementById('view')?.focus();
}

const CONNECTING = { text: 'Connecting…', tone: 'warn' };
const CONNECTIONS = {
  connecting: CONNECTING,
  hidden: CONNECTING,
  live: { text: 'Live', tone: 'good' },
  lost: { text: 'Connection lost: reconnecting', tone: 'bad' },
};

/** Shows whether the numbers are live, and of when they are. The status is announced when it changes, the time is not. */
function StatusStrip() {
  const { connection, samples } = useLive((live) => live);
  const at = samples.at(-1)?.at;
  const { text, tone } = CONNECTIONS[connection];
  return (
    <div className="status-strip">
      <span className={tone} role="status">
        {text}
      </span>
      {at !== undefined && <time dateTime={new Date(at).toISOString()}>{clockTime(new Date(at))}</time>}
    </div>
  );
}

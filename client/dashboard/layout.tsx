import { useEffect } from 'react';
import { Wordmark } from '#client/layout/wordmark.tsx';
import { site } from '#shared/site.ts';
import type { OpsApi } from './api/ops-api.ts';
import type { Session } from './api/ops-responses.ts';
import { Explanations } from './elements/explained.tsx';
import { StatusStrip } from './live/status-strip.tsx';
import { useLiveMetrics } from './live/use-live-metrics.ts';
import { ModeBanner } from './mode-banner.tsx';
import { useReadOnly } from './session-context.ts';
import { useView, VIEWS, type View, type ViewProps } from './use-view.ts';
import { AuditLogView } from './views/audit-log.tsx';
import { CacheInspectorView } from './views/cache-inspector.tsx';
import { OutboxView } from './views/outbox.tsx';
import { OverridesView } from './views/overrides.tsx';
import { OverviewView } from './views/overview.tsx';
import { PoliciesView } from './views/policies.tsx';
import { PurgeView } from './views/purge.tsx';
import { TtlAdvisorView } from './views/ttl-advisor.tsx';
import { WebVitalsView } from './views/web-vitals.tsx';

const COMPONENTS: Record<View['name'], (props: ViewProps) => React.ReactNode> = {
  overview: OverviewView,
  policies: PoliciesView,
  'ttl-advisor': TtlAdvisorView,
  purge: PurgeView,
  'cache-inspector': CacheInspectorView,
  overrides: OverridesView,
  outbox: OutboxView,
  'web-vitals': WebVitalsView,
  'audit-log': AuditLogView,
};

/** Renders the navigation, the status and the view in the address bar. */
export function Layout({
  api,
  onSession,
  onSignOut,
}: {
  api: OpsApi;
  onSession: (session: Session) => void;
  /** Null: the listener wants no token. */
  onSignOut: (() => void) | null;
}) {
  const live = useLiveMetrics(api.live);
  const isReadOnly = useReadOnly();
  const view = useView();
  const Component = COMPONENTS[view.name];
  const isLive = live.connection === 'live';
  useEffect(() => {
    // The server may have been restarted with other tokens.
    if (isLive) void api.session().then(onSession, () => undefined);
  }, [api, isLive, onSession]);
  return (
    <>
      <button type="button" className="skip-link" onClick={focusView}>
        Skip to the view
      </button>
      <header className="bar">
        <a className="bar-name" href="#/overview" aria-label={`Dashboard of ${site.name}`}>
          <Wordmark />
        </a>
        <nav aria-label="Views">
          <ul>
            {VIEWS.map(({ name, title }) => (
              <li key={name}>
                <a href={`#/${name}`} aria-current={name === view.name ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <StatusStrip live={live} />
        {isReadOnly && <span className="badge">read only</span>}
        {onSignOut && (
          <button type="button" onClick={onSignOut}>
            Sign out
          </button>
        )}
      </header>
      <ModeBanner api={api} mode={live.metrics?.mode ?? null} />
      <main id="view" tabIndex={-1}>
        <h1 tabIndex={-1}>{view.title}</h1>
        <Component key={view.params.join('/')} api={api} live={live} params={view.params} />
      </main>
      <Explanations />
    </>
  );
}

/** A link would change the fragment, which names the view. */
function focusView(): void {
  document.getElementById('view')?.focus();
}

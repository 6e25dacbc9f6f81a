import { Wordmark } from '#client/layout/wordmark.tsx';
import { site } from '#shared/site.ts';
import type { OpsApi } from './api/ops-api.ts';
import { Explanations } from './elements/explained.tsx';
import { StatusStrip } from './live/status-strip.tsx';
import { type Live, useLiveMetrics } from './live/use-live-metrics.ts';
import { ModeBanner } from './mode-banner.tsx';
import { useView, VIEWS, type View } from './use-view.ts';
import { CacheInspectorView } from './views/cache-inspector.tsx';
import { OutboxView } from './views/outbox.tsx';
import { OverridesView } from './views/overrides.tsx';
import { OverviewView } from './views/overview.tsx';
import { PoliciesView } from './views/policies.tsx';
import { PurgeView } from './views/purge.tsx';
import { TtlAdvisorView } from './views/ttl-advisor.tsx';
import { WebVitalsView } from './views/web-vitals.tsx';

/** What every view gets. */
export interface ViewProps {
  api: OpsApi;
  live: Live;
  /** What the address says to the view. */
  words: string[];
}

const COMPONENTS: Record<View['name'], (props: ViewProps) => React.ReactNode> = {
  overview: OverviewView,
  ages: PoliciesView,
  advice: TtlAdvisorView,
  purge: PurgeView,
  explain: CacheInspectorView,
  modes: OverridesView,
  outbox: OutboxView,
  readers: WebVitalsView,
};

/** The frame of every view: where one is, what is out of the ordinary, how the site is. */
export function Layout({ api }: { api: OpsApi }) {
  const live = useLiveMetrics(api.live);
  const view = useView();
  const Component = COMPONENTS[view.name];
  return (
    <>
      <button type="button" className="skip-link" onClick={toView}>
        Skip to the view
      </button>
      <header className="bar">
        <a className="bar-name" href="#/overview" aria-label={`Cockpit of ${site.name}`}>
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
      </header>
      <ModeBanner api={api} mode={live.metrics?.mode ?? null} />
      <main id="view" tabIndex={-1}>
        <h1 tabIndex={-1}>{view.title}</h1>
        <Component key={view.words.join('/')} api={api} live={live} words={view.words} />
      </main>
      <Explanations />
    </>
  );
}

/** A link would change the fragment, which names the view. */
function toView(): void {
  document.getElementById('view')?.focus();
}

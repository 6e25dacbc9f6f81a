import { site } from '#shared/site.ts';
import { Wordmark } from '../layout/wordmark.tsx';
import { Explanations } from './explained.tsx';
import { ModeBanner } from './mode-banner.tsx';
import type { OpsApi } from './ops-api.ts';
import { StatusStrip } from './status-strip.tsx';
import { type Live, useLive } from './use-live.ts';
import { useView, VIEWS, type View } from './use-view.ts';
import { AdviceView } from './views/advice.tsx';
import { AgesView } from './views/ages.tsx';
import { ExplainView } from './views/explain.tsx';
import { ModesView } from './views/modes.tsx';
import { OutboxView } from './views/outbox.tsx';
import { OverviewView } from './views/overview.tsx';
import { PurgeView } from './views/purge.tsx';
import { ReadersView } from './views/readers.tsx';

/** What every view gets. */
export interface ViewProps {
  api: OpsApi;
  live: Live;
  /** What the address says to the view. */
  words: string[];
}

const COMPONENTS: Record<View['name'], (props: ViewProps) => React.ReactNode> = {
  overview: OverviewView,
  ages: AgesView,
  advice: AdviceView,
  purge: PurgeView,
  explain: ExplainView,
  modes: ModesView,
  outbox: OutboxView,
  readers: ReadersView,
};

/** The frame of every view: where one is, what is out of the ordinary, how the site is. */
export function Shell({ api }: { api: OpsApi }) {
  const live = useLive(api.live);
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
      <ModeBanner api={api} mode={live.figures?.mode ?? null} />
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

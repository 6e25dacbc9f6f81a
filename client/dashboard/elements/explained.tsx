import { memo, type ReactNode, use } from 'react';
import { Focusable } from 'react-aria-components/Focusable';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Link } from 'react-router';
import { docsOfMetric } from './metric-links.tsx';
import { PanelDocs } from './panel.tsx';

const TOOLTIP_DELAY_MS = 200;

export interface ExplainedProps {
  about: string;
  metric?: string | undefined;
  isAlarming?: boolean | undefined;
  children: ReactNode;
}

/** Renders a number, or the heading of a column, with a tooltip that says what it means. It links to its documentation. */
export const Explained = memo(function Explained({ about, metric, isAlarming, children }: ExplainedProps) {
  const docs = use(PanelDocs);
  return (
    <TooltipTrigger delay={TOOLTIP_DELAY_MS} closeDelay={0}>
      <Focusable>
        <Link
          to={metric === undefined ? `/docs/${docs}` : docsOfMetric(metric)}
          className={`explained ${isAlarming ? 'alarming' : ''}`}
        >
          {isAlarming && <span className="visually-hidden">Alarming: </span>}
          {children}
        </Link>
      </Focusable>
      <Tooltip className="tooltip" offset={4}>
        {about}
        {metric !== undefined && (
          <>
            {' '}
            Prometheus: <code>{metric}</code>
          </>
        )}
      </Tooltip>
    </TooltipTrigger>
  );
});

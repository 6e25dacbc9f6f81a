import { createContext, memo, type ReactNode, use } from 'react';
import { Focusable } from 'react-aria-components/Focusable';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Link } from 'react-router';
import { docsOfMetric, docsSection } from './explanations.ts';

const TOOLTIP_DELAY_MS = 200;

/** The heading of the section of the docs that explains the numbers inside. */
export const SectionHeading = createContext('');

interface ExplainedProps {
  /** Names the explanation in the section. */
  label: string;
  isAlarming?: boolean | undefined;
  children: ReactNode;
}

/**
 * Renders a number, or the heading of a column, with a tooltip that says what it means. It links to its documentation.
 * What the docs do not explain is rendered as it is.
 */
export const Explained = memo(function Explained({ label, isAlarming, children }: ExplainedProps) {
  const section = docsSection(use(SectionHeading));
  const explanation = section.numbers.get(label);
  if (!explanation) return children;
  const { about, metric } = explanation;
  return (
    <TooltipTrigger delay={TOOLTIP_DELAY_MS} closeDelay={0}>
      <Focusable>
        <Link
          to={metric === '' ? section.address : docsOfMetric(metric)}
          className={`explained ${isAlarming ? 'alarming' : ''}`}
        >
          {isAlarming && <span className="visually-hidden">Alarming: </span>}
          {children}
        </Link>
      </Focusable>
      <Tooltip className="tooltip" offset={4}>
        {about}
        {metric !== '' && ' Prometheus: '}
        {metric !== '' && <code>{metric}</code>}
      </Tooltip>
    </TooltipTrigger>
  );
});

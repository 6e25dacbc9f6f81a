import { Link } from 'react-router';
import type { Alert } from '#shared/alerts-on-dashboard.ts';
import page from '../../../docs/operating/troubleshooting.md?raw';

/** The sections of the troubleshooting guide by their heading, as text. */
const SECTIONS = new Map(
  page
    .split(/^#+ /m)
    .slice(1)
    .map((section): [string, string] => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading, textOf(lines.join('\n'))];
    }),
);

/** Returns the address of a page or key in the cache inspector. */
export function inspectorPath(pageOrKey: string): string {
  return `/cache?${new URLSearchParams({ url: pageOrKey })}`;
}

/** Shows what the troubleshooting guide says of an alert, with a link to the page or key that it is about. */
export function Runbook({ alert, inspect }: { alert: Alert; inspect: string | null }) {
  return (
    <>
      <details>
        <summary>What to do about {alert}</summary>
        <p>{SECTIONS.get(alert)}</p>
        <p className="about">docs/operating/troubleshooting.md#{alert.toLowerCase()}</p>
      </details>
      {inspect && <Link to={inspectorPath(inspect)}>Inspect {inspect}</Link>}
    </>
  );
}

/** Returns Markdown as text: the targets of links and the marks of code go. */
function textOf(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
    .trim();
}

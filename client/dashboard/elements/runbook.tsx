import type { Alert } from '#shared/alert-rules.ts';
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

/** Shows what the troubleshooting guide says of an alert. */
export function Runbook({ alert }: { alert: Alert }) {
  return (
    <details>
      <summary>What to do about {alert}</summary>
      <p>{SECTIONS.get(alert)}</p>
      <p className="about">docs/operating/troubleshooting.md#{alert.toLowerCase()}</p>
    </details>
  );
}

/** Returns Markdown as text: the targets of links and the marks of code go. */
function textOf(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
    .trim();
}

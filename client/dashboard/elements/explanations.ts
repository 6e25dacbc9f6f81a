import page from '../../../docs/operating/dashboard.md?raw';

/** A section of `docs/operating/dashboard.md`, which explains a panel and its numbers. */
export interface DocsSection {
  /** Its address in the dashboard. */
  address: string;
  /** Its first paragraph, where that stands before the table; else empty. */
  intro: string;
  /** What each means, and its Prometheus name; empty where it has none. */
  numbers: ReadonlyMap<string, { about: string; metric: string }>;
  /** Prometheus names of the numbers, without repeats. */
  metrics: readonly string[];
}

const SECTIONS = new Map(page.split('\n## ').slice(1).map(parseSection));
const NONE: DocsSection = { address: '/docs/dashboard', intro: '', numbers: new Map(), metrics: [] };

/** Returns the section with a heading; an empty one where there is none. */
export function docsSection(heading: string): DocsSection {
  return SECTIONS.get(heading) ?? NONE;
}

/** Returns the address of the documentation of a metric, by its Prometheus name. */
export function docsOfMetric(metric: string): string {
  return `/docs/metrics-and-alerts/${metric}`;
}

function parseSection(text: string): [heading: string, section: DocsSection] {
  const [heading = '', , first = '', ...lines] = text.split('\n');
  const rows = [first, ...lines].filter((line) => line.startsWith('| ')).slice(2);
  const numbers = rows.map((row) => {
    const [label = '', about = '', metric = ''] = row.slice(2, -1).split(' | ');
    return [label, { about: about.trim(), metric: metric.replaceAll('`', '').trim() }] as const;
  });
  const metrics = new Set(numbers.map(([, { metric }]) => metric).filter((metric) => metric !== ''));
  const section = {
    address: `/docs/dashboard/${slugOf(heading)}`,
    intro: first.startsWith('|') ? '' : first,
    numbers: new Map(numbers),
    metrics: [...metrics],
  };
  return [heading, section];
}

/** Returns the fragment of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^\w -]/g, '');
  return words.replaceAll(' ', '-');
}

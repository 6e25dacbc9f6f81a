import page from '../../../docs/operating/dashboard.md?raw';

/** A section of `docs/operating/dashboard.md`, which explains a panel and its numbers. */
export interface DocsSection {
  /** Its address in the dashboard. */
  address: string;
  /** Its first paragraph, where that stands before the table; else empty. */
  intro: string;
  numbers: ReadonlyMap<string, Explanation>;
  /** Prometheus names of the numbers, without repeats. */
  metrics: readonly string[];
}

export interface Explanation {
  about: string;
  /** Its name in Prometheus; empty where it has none. */
  metric: string;
}

const SECTIONS = new Map(page.split('\n## ').slice(1).map(parseSection));

/** Returns the section with a heading; undefined where there is none. */
export function docsSection(heading: string): DocsSection | undefined {
  return SECTIONS.get(heading);
}

function parseSection(text: string): [heading: string, section: DocsSection] {
  const [heading = '', , first = '', ...lines] = text.split('\n');
  const rows = [first, ...lines].filter((line) => line.startsWith('| ')).slice(2);
  const numbers = rows.map((row): [string, Explanation] => {
    const [label = '', about = '', metric = ''] = row.slice(2, -1).split(' | ');
    return [label, { about: about.trim(), metric: metric.replaceAll('`', '').trim() }];
  });
  const section = {
    address: `/docs/dashboard/${slugOf(heading)}`,
    intro: first.startsWith('|') ? '' : first,
    numbers: new Map(numbers),
    metrics: [...new Set(numbers.map(([, { metric }]) => metric).filter((metric) => metric !== ''))],
  };
  return [heading, section];
}

/** Returns the fragment of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

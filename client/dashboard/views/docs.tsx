import { useQuery } from '@tanstack/react-query';
import { marked } from 'marked';
import { useEffect, useRef } from 'react';
import { Link, useParams } from 'react-router';
import { trustedHtml } from '#client/components/rich-text/trusted-html.ts';
import { slugOf } from '#client/dashboard/elements/explanations.ts';

const FOLDER = '../../../docs/operating/';
const FILES = import.meta.glob<string>(
  ['../../../docs/operating/*.md', '!../../../docs/operating/README.md'],
  { query: '?raw', import: 'default' },
);

const PAGES = Object.keys(FILES).map((path) => path.slice(FOLDER.length, -'.md'.length));

/** Shows a page of `docs/operating/`. `#/docs/outbox/a-heading` scrolls to a heading, or to where a metric is named. */
export function Component() {
  const { page = 'metrics-and-alerts', section } = useParams();
  const { data } = useQuery({
    queryKey: ['docs', page],
    // A file of this build.
    queryFn: async () =>
      trustedHtml(htmlOf((await FILES[`${FOLDER}${page}.md`]?.()) ?? 'There is no such page.')),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (data !== undefined && section !== undefined && article.current)
      find(article.current, section)?.scrollIntoView();
  }, [data, section]);
  return (
    <div className="columns">
      <nav aria-label="Docs" className="choices">
        <ul>
          {PAGES.map((name) => (
            <li key={name}>
              <Link to={`/docs/${name}`} aria-current={name === page ? 'true' : undefined}>
                {titleOf(name)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {data !== undefined && (
        <article ref={article} className="docs" dangerouslySetInnerHTML={{ __html: data }} />
      )}
    </div>
  );
}

/** The view has the `h1`. Links between the pages stay in the dashboard; others lead to files that are not served. */
function htmlOf(markdown: string): string {
  return marked
    .parse(markdown, { async: false })
    .replace(/<(\/?)h([1-5])>/g, (_all, slash: string, level: string) => `<${slash}h${Number(level) + 1}>`)
    .replace(
      /<a href="([\w-]+)\.md(?:#([\w-]+))?">/g,
      (_all, name: string, heading = '') => `<a href="#/docs/${name}/${heading}">`,
    )
    .replace(/<a href="(?!#|https:)[^"]*">(.*?)<\/a>/g, '$1');
}

/** Returns the heading with this slug, or the first row or paragraph that names this metric. */
function find(article: HTMLElement, section: string): Element | undefined {
  const headings = [...article.querySelectorAll('h2, h3, h4')];
  const codes = [...article.querySelectorAll('td code, p code, li code')];
  return (
    headings.find(({ textContent }) => slugOf(textContent) === section) ??
    codes.find(({ textContent }) => textContent.startsWith(section))
  );
}

const ABBREVIATIONS: Readonly<Record<string, string>> = { ttls: 'TTLs', cdn: 'CDN' };

function titleOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    .replaceAll('-', ' ')
    .replace(/ttls|cdn/, (word) => ABBREVIATIONS[word] ?? word);
}

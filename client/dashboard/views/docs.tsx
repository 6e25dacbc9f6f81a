import { marked } from 'marked';
import { useEffect, useMemo, useRef } from 'react';
import { useParams } from 'react-router';
import { trustedHtml } from '#client/components/rich-text/trusted-html.ts';
import { slugOf } from '#client/dashboard/elements/explanations.ts';
import { LinkList } from '#client/dashboard/elements/link-list.tsx';

const FOLDER = '../../../docs/operating/';
/** The pages, by their paths. They are part of this view's chunk. */
const FILES = import.meta.glob<string>(
  ['../../../docs/operating/*.md', '!../../../docs/operating/README.md'],
  { query: '?raw', import: 'default', eager: true },
);
const PAGES = Object.entries(FILES).map(([path, markdown]) => ({
  to: `/docs/${path.slice(FOLDER.length, -'.md'.length)}`,
  text: /^# (.*)/.exec(markdown)?.[1],
}));

/** Shows a page of `docs/operating/`. `#/docs/outbox/a-heading` scrolls to a heading, or to where a metric is named. */
export function Component() {
  const { page = 'metrics-and-alerts', section } = useParams();
  const markdown = FILES[`${FOLDER}${page}.md`] ?? 'There is no such page.';
  const html = useMemo(() => trustedHtml(htmlOf(markdown)), [markdown]);
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (section !== undefined && article.current) find(article.current, section)?.scrollIntoView();
  }, [section]);
  return (
    <div className="columns">
      <LinkList label="Docs" className="choices" current={`/docs/${page}`} links={PAGES} />
      <article ref={article} className="docs" dangerouslySetInnerHTML={{ __html: html }} />
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

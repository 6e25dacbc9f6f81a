import { marked } from 'marked';
import { z } from 'zod';
import { formatDate } from '#shared/dates.ts';
import type { Heading } from '#shared/models/article.ts';
import type { OwnPage } from '#shared/models/own-page.ts';
import type { SiteSettings } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { translator } from '#shared/texts/translate.ts';
import { decodeSegment } from '#shared/urls.ts';
import { PRIVACY_POLICY, privacyPolicy } from './privacy-policy.ts';
import { type AddMistake, addIssues } from './site-schema.ts';

/** Makes HTML safe and finds its headings: the pipeline of articles. */
export type RenderHtml = (
  html: string,
  texts: SiteSettings['texts'],
) => { html: string; headings: Heading[] };

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

const FrontMatter = z.strictObject({
  title: z.string().min(1),
  description: z.string().default(''),
  date: z.iso.date().nullable().default(null),
  footer: z.enum(['about', 'policies']).nullable().default(null),
  /** Heading of its list of contents; null for none. */
  contents: z.string().min(1).nullable().default(null),
  sitemap: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(true),
});

/** A page of the publisher's own. */
export type MarkdownPage = z.infer<typeof FrontMatter> & ReturnType<RenderHtml>;

/** Reads a page: lines of `name: value` between two lines of three hyphens, then Markdown. Null after a mistake. */
export function readMarkdownPage(
  file: string,
  text: string,
  render: (html: string) => ReturnType<RenderHtml>,
  addMistake: AddMistake,
): MarkdownPage | null {
  const [whole = '', head = ''] = FRONT_MATTER.exec(text) ?? [];
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '');
  const fields = lines.map((line) => /^(\w+):\s*(.*?)\s*$/.exec(line) ?? []);
  const wrong = fields.findIndex(([, name]) => name === undefined);
  if (whole === '' || wrong >= 0) {
    addMistake(
      `${file}:${wrong + 2}`,
      'front matter expected: lines such as “title: Imprint” between two lines of ---',
    );
    return null;
  }
  const given = Object.fromEntries(
    fields.map(([, name, value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]),
  );
  const { data, error } = FrontMatter.safeParse(given);
  if (!data) {
    const lineOf = (key: PropertyKey | undefined) => fields.findIndex(([, name]) => name === key) + 2;
    addIssues(error, (key) => `${file}:${lineOf(key)}`, addMistake);
    return null;
  }
  return { ...data, ...render(marked.parse(text.slice(whole.length), { async: false, gfm: true })) };
}

/** Returns the publisher's own page of a name, else the built-in privacy policy; undefined for another name. */
export function ownPage(
  site: { folder: () => { pages: ReadonlyMap<string, MarkdownPage> } | null; settings: () => SiteSettings },
  address: string,
): OwnPage | undefined {
  const name = decodeSegment(address);
  if (name === null) return undefined;
  const page = site.folder()?.pages.get(name);
  if (!page) return name === PRIVACY_POLICY ? privacyPolicy(site.settings()) : undefined;
  const { title, description, date, contents, headings, html } = page;
  return {
    name,
    title,
    description,
    deck: date && formatDate(en.longDate, date, translator(site.settings())),
    contents:
      contents === null ? null : { title: contents, entries: headings.map(({ id, text }) => ({ id, text })) },
    bodyHtml: html,
  };
}

import type { z } from 'zod';
import { BY_ID, type ContentReader, ifHidden, isPublic, POSTS, TERM_FIELDS } from './content-reader.ts';
import { authorPath, feedOf, foldersOf, pageOf } from './links.ts';
import { ADDRESS_FIELDS, postPath, slug, WpPost, WpTerm, WpUser } from './post-fields.ts';

type Redirect = [from: string, to: string];

/**
 * Yields the old and the new path of the feed, and of every category, tag, post and author that has another one now; also
 * from its address by number (`/?p=12`), which WordPress gives as a short link. An old path with `*` at its end stands for
 * all that begin so: further pages of a list.
 */
export async function* contentRedirects(content: ContentReader): AsyncGenerator<Redirect> {
  const { terms, discovered, mostUsedTags, each } = content;
  const [{ sections, categories }, { home }] = await Promise.all([terms(), discovered()]);
  yield* moved({ link: `${home}/feed/` }, '/feed.xml');
  if (pathOf(home) !== '/') yield* moved({ link: `${home}/` }, '/');
  yield [`${pathOf(home).replace(/\/$/, '')}/page/*`, '/'];
  function* byNumber(parameter: string, { id, link }: { id: number; link: string }, to: string) {
    if (!link.includes('?')) yield* moved({ link: `${home}/?${parameter}=${id}` }, to);
  }
  for (const term of categories) {
    yield* movedList(term, sections.pathOf(term));
    yield* byNumber('cat', term, sections.pathOf(term));
  }
  if ((await mostUsedTags()).length > 0)
    for await (const tag of each('wp/v2/tags', { ...TERM_FIELDS, hide_empty: 'true' }, WpTerm)) {
      const path = sections.pathOf(tag);
      const lines = [...movedList(tag, path)];
      yield* lines;
      // Its address may stay: the site has nothing below it.
      if (lines.length === 0) yield [`${path}/*`, path];
    }
  const authors = new Map<string, number>();
  const learn = ({ id, link }: z.infer<typeof WpUser>) => id > 0 && link !== '' && authors.set(link, id);
  try {
    for await (const user of each('wp/v2/users', { ...BY_ID, _fields: 'id,link' }, WpUser)) learn(user);
  } catch (error) {
    ifHidden(null)(error);
  }
  const embedded =
    authors.size === 0 ? { _embed: 'author', _fields: `${ADDRESS_FIELDS},_links,_embedded` } : {};
  for await (const post of each(POSTS, { ...BY_ID, _fields: ADDRESS_FIELDS, ...embedded }, WpPost)) {
    post._embedded.author.forEach(learn);
    if (!isPublic(post)) continue;
    yield* moved(post, postPath(post, sections));
    yield* byNumber('p', post, postPath(post, sections));
  }
  for (const [link, id] of authors) {
    // A name that is a number is the site's address of another author.
    if (!/\/\d+$/.test(pageOf(link))) yield* movedList({ link }, authorPath(id));
    yield* byNumber('author', { id, link }, authorPath(id));
  }
}

function pathOf(link: string): string {
  const url = URL.parse(link);
  return url === null ? '' : url.pathname + url.search;
}

/** Pages of the site, which a rule for an old post of that address would hide. */
const PAGES =
  /^\/(?:404|about|contact-us|events|no-posts|opt-out-form|privacy-policy|sitemap|subscribe)\/?$/i;

/** Yields an old path and the new one, unless both are the same page, or the old one is now a page of the site. */
export function* moved({ link }: { link: string }, to: string): Generator<Redirect> {
  const from = pathOf(link);
  if (!PAGES.test(from) && slug.parse(from).replace(/(?<=.)\/$/, '') !== slug.parse(to)) yield [from, to];
}

/** As `moved`, for a list, whose further pages and feed are below it. */
function* movedList({ link }: { link: string }, to: string): Generator<Redirect> {
  for (const redirect of moved({ link }, to)) {
    yield redirect;
    const [from] = redirect;
    const folder = from.replace(/\/?$/, '/');
    if (feedOf(to) !== to && !from.includes('?')) yield [`${folder}feed/`, feedOf(to)];
    // Below one at the root there may be pages of the site.
    if (foldersOf([link]).size > 0) yield [`${folder}*`, to];
  }
}

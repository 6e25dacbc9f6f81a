import { BY_ID, type ContentReader, isPublic, POSTS, TERM_FIELDS } from './content-reader.ts';
import { pageOf } from './links.ts';
import { ADDRESS_FIELDS, postPath, slug, WpPost, WpTerm } from './post-fields.ts';

type Redirect = [from: string, to: string];

/** Yields the old and the new path of every category, tag and post that has another one now. */
export async function* contentRedirects({ terms, each }: ContentReader): AsyncGenerator<Redirect> {
  const { sections, categories } = await terms();
  for (const term of categories) yield* moved(term, sections.pathOf(term));
  for await (const tag of each('wp/v2/tags', { ...TERM_FIELDS, hide_empty: 'true' }, WpTerm))
    yield* moved(tag, sections.pathOf(tag));
  for await (const post of each(POSTS, { ...BY_ID, _fields: ADDRESS_FIELDS }, WpPost))
    if (isPublic(post)) yield* moved(post, postPath(post, sections));
}

/** Pages of the site, which a rule for an old post of that address would hide. */
const PAGES =
  /^\/(?:404|about|contact-us|events|no-posts|opt-out-form|privacy-policy|sitemap|subscribe)\/?$/i;

/** Yields an old path and the new one, unless both are the same page, or the old one is now a page of the site. */
export function* moved({ link }: { link: string }, to: string): Generator<Redirect> {
  const { pathname, search } = URL.parse(link) ?? { pathname: '', search: '' };
  if (!PAGES.test(pathname) && pageOf(link) !== slug.parse(to)) yield [pathname + search, to];
}

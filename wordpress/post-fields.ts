import { z } from 'zod';
import { readBody, readExcerpt } from './bodies.ts';
import { picturePath } from './pictures.ts';
import type { Discovery } from './rest-api-discovery.ts';
import type { Sections } from './sections.ts';

/** What may be missing. */
export const text = z.string().nullish().catch(null);
const rendered = z.object({ rendered: z.string() }).catch({ rendered: '' });

/** Returns a slug in its own letters: WordPress percent-encodes those of other scripts. */
export const slug = z.string().transform((encoded) => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
});

/** The first line of a text, or of the first text of a list; null where there is none. */
const firstLine = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat()[0]?.trim().split('\n', 1)[0]?.trim() || null)
  .catch(null);

/** A category or a tag. `parent`: id of the category above it, or 0. */
export const WpTerm = z.object({
  id: z.number(),
  slug,
  name: z.string(),
  parent: z.number().catch(0),
  count: z.number().catch(0),
  link: z.string().catch(''),
});
export type Term = z.infer<typeof WpTerm>;

/** A user; without a name where WordPress hides its users. */
export const WpUser = z.object({
  id: z.number().catch(0),
  name: text,
  slug: text,
  description: text,
  url: text,
  avatar_urls: z.record(z.string(), z.string()).catch({}),
});

/** A post: whatever was asked for of it. */
export const WpPost = z.object({
  id: z.number(),
  slug,
  link: z.string().catch(''),
  date_gmt: text,
  modified_gmt: text,
  title: rendered,
  excerpt: rendered,
  /** Null where a filter of a theme or plugin returns nothing. */
  content: z.object({ rendered: z.string().catch(''), protected: z.boolean() }),
  author: z.number().catch(0),
  categories: z.array(z.number()).catch([]),
  /** Of podcast plugins: the address of the episode, which WordPress' own field has in the first of three lines. */
  meta: z
    .object({ audio_file: firstLine, enclosure: firstLine })
    .catch({ audio_file: null, enclosure: null }),
  yoast_head_json: z
    .object({ description: text, author: text, og_image: z.array(z.object({ url: text })).catch([]) })
    .catch({ description: null, author: null, og_image: [] }),
  _embedded: z
    .object({
      author: z.array(WpUser).catch([]),
      'wp:featuredmedia': z.array(z.object({ source_url: text })).catch([]),
    })
    .catch({ author: [], 'wp:featuredmedia': [] }),
});
export type WpPost = z.infer<typeof WpPost>;

/** Fields of a post's address, of a post in a list (`_embed` goes by `_links`), and of one with its body. */
export const ADDRESS_FIELDS = 'id,slug,link,categories,content.protected';
export const LISTED_FIELDS = `${ADDRESS_FIELDS},date_gmt,modified_gmt,title,excerpt,author,_links,_embedded,yoast_head_json.description,yoast_head_json.author,yoast_head_json.og_image`;
export const BODY_FIELDS = `${LISTED_FIELDS},content.rendered,meta.audio_file,meta.enclosure`;

const WORDS_A_MINUTE = 220;

/** Returns the path of a post on the site. */
export function postPath({ categories, slug }: WpPost, sections: Sections): string {
  return `/${encodeURIComponent(sections.sectionOf(categories))}/${encodeURIComponent(slug)}`;
}

/** Returns the path of an event on the site. */
export function eventPath(slug: string): string {
  return `/events/${encodeURIComponent(slug)}`;
}

/** Returns a post in the fields of the upstream, without its body. */
export function listedPost(post: WpPost, sections: Sections, discovery: Discovery) {
  const { author: authors, 'wp:featuredmedia': media } = post._embedded;
  const { description, author, og_image } = post.yoast_head_json;
  const { pictures, video, words } = readBody(post.content.rendered);
  const banner = picturePath(media[0]?.source_url, discovery);
  const others = [...pictures, ...og_image.map(({ url }) => url)].map((address) =>
    picturePath(address, discovery),
  );
  return {
    id: post.id,
    cat_slug: sections.sectionOf(post.categories),
    post_name: post.slug,
    post_title: post.title.rendered,
    post_content: '',
    p_content: readExcerpt(post.excerpt.rendered),
    post_author: authors[0]?.name || author,
    post_author_id: post.author || null,
    author_url: authors[0]?.url || null,
    post_date: utc(post.date_gmt),
    updated_at: utc(post.modified_gmt),
    meta_description: description,
    banner_img: banner ?? others.find((path) => path !== null) ?? null,
    // A picture of the body stands there already.
    banner_show: banner !== null && video === null ? 1 : 0,
    podcast_link: video,
    reading_time: words === 0 ? null : Math.max(1, Math.round(words / WORDS_A_MINUTE)),
  };
}

const FILM = /\.(?:mp4|m4v|webm|mov)$/i;

/** Returns a player of the episode that a plugin keeps beside a post; empty where there is none, or the body has it. */
export function episodeOf({ meta, content }: WpPost): string {
  const url = URL.parse(meta.audio_file ?? meta.enclosure ?? '');
  if (url === null || !/^https?:$/.test(url.protocol)) return '';
  const isThere = content.rendered.replaceAll(/&(?:amp|#0?38);/g, '&').includes(url.href);
  const tag = FILM.test(url.pathname) ? 'video' : 'audio';
  return isThere ? '' : `<${tag} src="${url.href.replaceAll('&', '&amp;')}"></${tag}>`;
}

/** HTML of WordPress, and the address that it stands at. */
export interface Body {
  content: { rendered: string };
  link: string;
}

/** An address as it is typed: the site knows what it means. */
const WITHOUT_SCHEME = /^www\.[\w-]+\./i;

/** Returns a body with addresses of the site. `pathOfLink`: the site's own path for a link; null for one that leads elsewhere. */
export function bodyOf(
  { content, link }: Body,
  discovery: Discovery,
  pathOfLink: (href: string) => string | null,
): string {
  return readBody(content.rendered).rewritten((address, tag) => {
    const absolute = URL.parse(address, link || discovery.origin)?.href;
    if (absolute === undefined || address === '' || address.startsWith('#') || WITHOUT_SCHEME.test(address))
      return address;
    // Plugins write a link within the post with its whole address.
    if (tag === 'a' && absolute.startsWith(`${link}#`)) return new URL(absolute).hash;
    const target = (tag === 'a' && pathOfLink(absolute)) || absolute;
    // Resized by the site, an animation would stand still.
    const isPicture =
      /^(a|img)$/.test(tag) && URL.canParse(target) && !/^https:[^?]*\.gif(\?|$)/i.test(target);
    return (isPicture && picturePath(target, discovery)) || target;
  });
}

/** WordPress writes UTC without a zone. */
function utc(date: string | null | undefined): string | null {
  return date ? `${date}Z` : null;
}

/** Returns an author in the fields of the upstream; none where WordPress says no name. */
export function authorOf(
  { id, name, slug, description, url, avatar_urls }: z.infer<typeof WpUser>,
  discovery: Discovery,
) {
  const author_photo = picturePath(Object.values(avatar_urls).at(-1), discovery);
  const author = { id, author_name: slug, author_display_name: name, author_description: description };
  return name ? [{ ...author, author_photo, author_url: url || null }] : [];
}

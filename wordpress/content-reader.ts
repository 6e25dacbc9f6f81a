import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { readBody } from './bodies.ts';
import { linkTarget, pageOf, type Target } from './links.ts';
import {
  ADDRESS_FIELDS,
  authorOf,
  BODY_FIELDS,
  type Body,
  bodyOf,
  episodeOf,
  LISTED_FIELDS,
  listedPost,
  postPath,
  type Term,
  WpPost,
  WpTerm,
  WpUser,
} from './post-fields.ts';
import { type Discovery, discover } from './rest-api-discovery.ts';
import { inPlaceOf, type Query, type RestClient } from './rest-client.ts';
import { createSections } from './sections.ts';

export type ContentReader = ReturnType<typeof createContentReader>;

export const POSTS = 'wp/v2/posts';
const EMBED = 'author,wp:featuredmedia';
/** The most that WordPress puts on a page. */
const PAGE = 100;
/** Longer lists come without bodies: nothing of them is shown. */
const LISTED_WITH_BODY = 24;
/** Posts of a sub-category, and terms, are read to this many pages of a hundred. */
const MAX_PAGES = 20;
/** Encoded characters of a list in an address: servers take 8 kB of that. */
const MAX_LIST_LENGTH = 4_000;
/** Short: after a change and its purge the categories are the new ones. */
const TERMS_MS = 5_000;
const DISCOVERY_MS = 3_600_000;
/** For what is read in several pages: posts of one date, as after an import, would come in another order on each. */
export const BY_ID = { orderby: 'id' };
/** Of a page past the last one. */
const NOTHING = { items: [], total: 0, totalPages: 0 };
const nothingBeyond = inPlaceOf(({ code }) => code === 'rest_post_invalid_page_number', NOTHING);
const MOST_USED_TAGS = { per_page: 30, orderby: 'count', order: 'desc', hide_empty: 'true' };

export const TERM_FIELDS = { _fields: 'id,slug,name,parent,count,link' };

/** Returns what loads a value, and keeps it for some time (ms). */
function kept<T extends object>(
  ttl: number,
  load: () => Promise<T>,
  options: Pick<LRUCache.OptionsBase<'', T, unknown>, 'allowStale' | 'noDeleteOnFetchRejection'> = {},
): () => Promise<T> {
  const cache = new LRUCache<'', T>({ max: 1, ttl, fetchMethod: load, ...options });
  return () => cache.forceFetch('');
}

/** Reads a WordPress in the terms of the upstream API. `configured`: WORDPRESS_SECTIONS. Rejects with `WordpressFailed`. */
export function createContentReader(address: string, client: RestClient, configured: string) {
  // While it is looked for again, and where it cannot be, it is where it was.
  const discovered = kept(DISCOVERY_MS, () => discover(address, client), {
    allowStale: true,
    noDeleteOnFetchRejection: true,
  });
  const terms = kept(TERMS_MS, async () => {
    const categories = await all('wp/v2/categories', TERM_FIELDS, WpTerm);
    return { sections: createSections(categories, configured), categories };
  });
  const mostUsedTags = kept(TERMS_MS, () => tags(MOST_USED_TAGS));

  async function list<T>(path: string, query: Query, item: z.ZodType<T>) {
    return client.list((await discovered()).root, path, query, item);
  }

  async function items<T>(path: string, query: Query, item: z.ZodType<T>): Promise<T[]> {
    return (await list(path, query, item)).items;
  }

  async function all<T>(path: string, query: Query, item: z.ZodType<T>): Promise<T[]> {
    const pageOf = (page: number) => list(path, { ...query, per_page: PAGE, page }, item);
    const first = await pageOf(1);
    const more = Array.from({ length: Math.min(first.totalPages, MAX_PAGES) - 1 }, (_, index) => index + 2);
    // One that has gone since the first was counted is none.
    const rest = await Promise.all(more.map((page) => pageOf(page).catch(nothingBeyond)));
    return [first, ...rest].flatMap((page) => page.items);
  }

  async function tags(query: Query): Promise<Term[]> {
    return items('wp/v2/tags', { ...TERM_FIELDS, ...query }, WpTerm);
  }

  async function* each<T>(path: string, query: Query, item: z.ZodType<T>): AsyncGenerator<T> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { items, totalPages } = await list(path, { ...query, per_page: PAGE, page }, item);
      pages = totalPages;
      yield* items;
    }
  }

  /** One page of posts, with WordPress's own totals. */
  async function page(query: Query | null, number: number, limit: number) {
    if (query === null) return paged([], 0, 0);
    const _fields = limit > LISTED_WITH_BODY ? LISTED_FIELDS : BODY_FIELDS;
    const asked = { ...query, per_page: limit, page: number, _embed: EMBED, _fields };
    const { items, total, totalPages } = await list(POSTS, asked, WpPost).catch(nothingBeyond);
    const [{ sections }, discovery] = await Promise.all([terms(), discovered()]);
    const posts = items.filter(isPublic).map((post) => listedPost(post, sections, discovery));
    return paged(posts, total, totalPages);
  }

  async function byIds(ids: readonly number[]) {
    if (ids.length === 0) return [];
    return (await page({ include: ids.join(','), orderby: 'include' }, 1, ids.length)).postData;
  }

  /** Returns the site's path of each link of a body: to posts, which are asked for together, and to categories and tags. */
  async function linkPaths({ content, link }: Body, discovery: Discovery) {
    const links = readBody(content.rendered).links.flatMap(
      (each) => URL.parse(each, link || discovery.origin)?.href ?? [],
    );
    const targets = links.flatMap((href) => linkTarget(href, discovery) ?? []);
    if (targets.length === 0) return () => null;
    const [{ sections, categories }, mostUsed] = await Promise.all([terms(), mostUsedTags()]);
    const known = new Map(
      [...categories, ...mostUsed].map((term) => [pageOf(term.link), sections.pathOf(term)]),
    );
    // The front page, which a term without a link would be taken for.
    known.delete('');
    const lookUp = async (by: Target['by']) => {
      const wanted = joined(targets.flatMap((target) => (target.by === by && target.value) || []));
      const query = { [by]: wanted, ...BY_ID, per_page: PAGE, _fields: ADDRESS_FIELDS };
      return wanted === '' ? [] : (await items(POSTS, query, WpPost)).filter(isPublic);
    };
    const [bySlug, byId] = await Promise.all([lookUp('slug'), lookUp('include')]);
    return (href: string): string | null => {
      const target = linkTarget(href, discovery);
      if (target === null) return null;
      const post =
        target.by === 'slug'
          ? bySlug.find((each) => each.slug === target.value)
          : byId.find(({ id }) => String(id) === target.value);
      const path = known.get(pageOf(href)) ?? (post && postPath(post, sections));
      return path === undefined ? null : path + new URL(href).hash;
    };
  }

  /** Returns a body with addresses of the site. Links to what is not known stay as they are. */
  async function rewritten(body: Body): Promise<string> {
    const discovery = await discovered();
    return bodyOf(body, discovery, await linkPaths(body, discovery));
  }

  return {
    rewritten,
    discovered,
    terms,
    byIds,
    each,
    /** Categories without a section, and the tags most used. */
    async subcategories() {
      const [{ sections }, mostUsed] = await Promise.all([terms(), mostUsedTags()]);
      const slugs = new Set(sections.subcategories.map(({ slug }) => slug));
      return [...sections.subcategories, ...mostUsed.filter(({ slug }) => !slugs.has(slug))].map(
        ({ id, slug, name }) => ({ id, subcat_slug: slug, subcat_name: name }),
      );
    },
    /** The newest posts of some sections; of all, where none is named. */
    async newest(count: number, slugs: readonly string[] = []) {
      const query = slugs.length === 0 ? {} : (await terms()).sections.queryOf(slugs);
      return (await page(query, 1, count)).postData;
    },
    /** One page of a section or of all posts (`all`), by date; with a search, by how well they match it. */
    async section(slug: string, number: number, limit: number, search?: string) {
      const query = slug === 'all' ? {} : (await terms()).sections.queryOf([slug]);
      const searched = search === undefined ? {} : { search, orderby: 'relevance' };
      return page(query && { ...query, ...searched }, number, limit);
    },
    byAuthor: (id: number, number: number, limit: number) => page({ author: id }, number, limit),
    /**
     * Returns what reads one page of a section within a sub-category, which is a category or a tag. It is counted here: REST
     * takes one clause for a taxonomy.
     */
    async within(subcategory: string) {
      const { sections, categories } = await terms();
      const isIt = (term: Term) => term.slug === subcategory;
      const category = categories.find(isIt);
      const tag = category ?? (await tags({ slug: subcategory })).find(isIt);
      const query = category
        ? { 'categories[terms]': category.id, 'categories[include_children]': 'true' }
        : { tags: tag?.id };
      const _fields = `${ADDRESS_FIELDS},date_gmt`;
      const posts = tag ? (await all(POSTS, { ...query, _fields }, WpPost)).sort(byDate) : [];
      const bySection = Map.groupBy(posts.filter(isPublic), (post) => sections.sectionOf(post.categories));
      return async (section: string, number: number, limit: number) => {
        // A post that is published meanwhile moves another to the next page, where it is read once more.
        const ids = [...new Set(bySection.get(section)?.map(({ id }) => id))];
        const shown = await byIds(ids.slice((number - 1) * limit, number * limit));
        return paged(shown, ids.length, Math.ceil(ids.length / limit));
      };
    },
    /** The post with a slug, in full, whatever its section: who asks for an old one is sent to its address. */
    async post(slug: string) {
      const [posts, { sections }, discovery] = await Promise.all([
        items(POSTS, { slug, _embed: EMBED, _fields: BODY_FIELDS }, WpPost),
        terms(),
        discovered(),
      ]);
      const post = posts.find((each) => each.slug === slug && isPublic(each));
      if (!post) return [];
      return [
        { ...listedPost(post, sections, discovery), post_content: episodeOf(post) + (await rewritten(post)) },
      ];
    },
    /** An author; by one of the posts, where WordPress or a plugin hides its users. None where neither has a name. */
    async author(id: number) {
      const discovery = await discovered();
      const response = await client.get(discovery.root, `wp/v2/users/${id}`, {}).catch(ifHidden);
      const user = WpUser.safeParse(response?.body).data;
      if (user?.name) return authorOf(user, discovery);
      const query = { author: id, per_page: 1, _embed: 'author', _fields: LISTED_FIELDS };
      const [post] = await items(POSTS, query, WpPost);
      if (!post) return [];
      const embedded = WpUser.parse(post._embedded.author[0] ?? {});
      return authorOf({ ...embedded, id, name: embedded.name ?? post.yoast_head_json.author }, discovery);
    },
  };
}

/** Of users that WordPress does not show. What may be over by itself stays an error. */
const ifHidden = inPlaceOf(({ isTemporary }) => !isTemporary, null);

/** The newest first. WordPress has those of one moment in another order each time. */
function byDate(one: WpPost, other: WpPost): number {
  return (other.date_gmt ?? '').localeCompare(one.date_gmt ?? '') || other.id - one.id;
}

/** Joins slugs or ids into a list, of as many as fit into an address and on a page. */
function joined(values: readonly string[]): string {
  let list = '';
  for (const value of [...new Set(values)].slice(0, PAGE)) {
    const longer = list === '' ? value : `${list},${value}`;
    if (encodeURIComponent(longer).length <= MAX_LIST_LENGTH) list = longer;
  }
  return list;
}

/** A page of posts as the upstream API has it. */
function paged<T>(postData: T[], totalItems: number, totalPages: number) {
  return { postData, pagination: { totalItems, totalPages } };
}

export function isPublic({ content }: WpPost): boolean {
  return !content.protected;
}

import { z } from 'zod';
import { readBody } from './bodies.ts';
import { type Discovery, discover } from './discover.ts';
import {
  ADDRESS_FIELDS,
  authorOf,
  BODY_FIELDS,
  bodyOf,
  LISTED_FIELDS,
  linkTarget,
  listedPost,
  postPath,
  slug,
  WpPost,
  WpUser,
} from './posts.ts';
import { type Query, type RestClient, WordpressFailed } from './rest-client.ts';
import { createSections, type Sections, type Term } from './sections.ts';

export type ContentReader = ReturnType<typeof createContentReader>;

const POSTS = 'wp/v2/posts';
const EMBED = 'author,wp:featuredmedia';
/** The most that WordPress puts on a page. */
const PAGE = 100;
/** Longer lists come without bodies: nothing of them is shown. */
const LISTED_WITH_BODY = 24;
/** Posts of a sub-category, and terms, are read to this many pages of a hundred. */
const MAX_PAGES = 20;
const MOST_USED_TAGS = 30;
/** Short: after a change and its purge the categories are the new ones. */
const TERMS_MS = 5_000;
const DISCOVERY_MS = 3_600_000;

const WpTerm: z.ZodType<Term> = z.object({
  id: z.number(),
  slug,
  name: z.string(),
  parent: z.number().catch(0),
  count: z.number().catch(0),
  link: z.string().catch(''),
});
const TERM_FIELDS = 'id,slug,name,parent,count,link';

/** Reads a WordPress in the terms of the upstream API. `configured`: WORDPRESS_SECTIONS. Rejects with `WordpressFailed`. */
export function createContentReader(address: string, client: RestClient, configured: string) {
  const discovered = cachedFor(DISCOVERY_MS, () => discover(address, client));
  const terms = cachedFor(TERMS_MS, async () => {
    const mostUsed = {
      _fields: TERM_FIELDS,
      per_page: MOST_USED_TAGS,
      orderby: 'count',
      order: 'desc',
      hide_empty: 'true',
    };
    const [categories, tags] = await Promise.all([
      all('wp/v2/categories', { _fields: TERM_FIELDS }, WpTerm),
      items('wp/v2/tags', mostUsed, WpTerm),
    ]);
    return { sections: createSections(categories, configured), categories, tags };
  });

  async function get(path: string, query: Query) {
    return client.get((await discovered()).root, path, query);
  }

  async function items<T>(path: string, query: Query, item: z.ZodType<T>): Promise<T[]> {
    return itemsOf((await get(path, query)).body, item);
  }

  async function all<T>(path: string, query: Query, item: z.ZodType<T>): Promise<T[]> {
    const pageOf = (page: number) => get(path, { ...query, per_page: PAGE, page });
    const first = await pageOf(1);
    const rest = Array.from({ length: Math.min(first.totalPages ?? 1, MAX_PAGES) - 1 }, (_, index) =>
      pageOf(index + 2),
    );
    return [first, ...(await Promise.all(rest))].flatMap(({ body }) => itemsOf(body, item));
  }

  /** One page of posts, with WordPress's own totals. */
  async function page(query: Query | null, number: number, limit: number) {
    if (query === null) return { posts: [], totalItems: 0, totalPages: 0 };
    const _fields = limit > LISTED_WITH_BODY ? LISTED_FIELDS : BODY_FIELDS;
    const asked = { ...query, per_page: limit, page: number, _embed: EMBED, _fields };
    const isBeyond = (error: unknown) =>
      error instanceof WordpressFailed && error.code === 'rest_post_invalid_page_number';
    const { body, total, totalPages } = await get(POSTS, asked).catch(async (error: unknown) => {
      if (!isBeyond(error)) throw error;
      return { ...(await get(POSTS, { ...query, per_page: limit, _fields: 'id' })), body: [] };
    });
    if (total === null || totalPages === null) throw new WordpressFailed('a list came without X-WP-Total');
    const [{ sections }, discovery] = await Promise.all([terms(), discovered()]);
    const posts = itemsOf(body, WpPost)
      .filter(isPublic)
      .map((post) => listedPost(post, sections, discovery));
    return { posts, totalItems: total, totalPages };
  }

  async function byIds(ids: readonly number[]) {
    const starts = ids.flatMap((_, index) => (index % LISTED_WITH_BODY === 0 ? index : []));
    const parts = starts.map((start) => ids.slice(start, start + LISTED_WITH_BODY));
    const pages = await Promise.all(
      parts.map((part) => page({ include: part.join(','), orderby: 'include' }, 1, part.length)),
    );
    return pages.flatMap(({ posts }) => posts);
  }

  /** Ids and sections of a sub-category's posts, newest first. It is a category or a tag. */
  async function walk(subcategory: string) {
    const { sections, categories, tags } = await terms();
    const isIt = (term: Term) => term.slug === subcategory;
    const category = categories.find(isIt);
    const tag =
      category ??
      tags.find(isIt) ??
      (await items('wp/v2/tags', { slug: subcategory, _fields: TERM_FIELDS }, WpTerm)).find(isIt);
    if (!tag) return [];
    const query = category
      ? { categories: sections.withDescendants(category.id).join(',') }
      : { tags: tag.id };
    const posts = await all(POSTS, { ...query, _fields: ADDRESS_FIELDS }, WpPost);
    return posts
      .filter(isPublic)
      .map((post) => ({ id: post.id, section: sections.sectionOf(post.categories) }));
  }

  /** Returns the site's own path of a body's links: to posts, which are asked for together, and to categories and tags. */
  async function linkPaths(post: WpPost, sections: Sections, discovery: Discovery) {
    const { categories, tags } = await terms();
    const paths = new Map([...categories, ...tags].map((term) => [pathOf(term.link), sections.pathOf(term)]));
    const hrefs = readBody(post.content.rendered).links.flatMap(
      (link) => URL.parse(link, post.link)?.href ?? [],
    );
    const targets = hrefs
      .filter((href) => !paths.has(pathOf(href)))
      .map((href) => linkTarget(href, discovery));
    const ask = async (name: 'slug' | 'include', values: (string | number | null | undefined)[]) => {
      const list = [...new Set(values)]
        .filter((value) => value !== null && value !== undefined)
        .slice(0, PAGE)
        .join(',');
      return list === ''
        ? []
        : items(POSTS, { [name]: list, per_page: PAGE, _fields: ADDRESS_FIELDS }, WpPost);
    };
    const found = await Promise.all([
      ask(
        'slug',
        targets.map((target) => target?.slug),
      ),
      ask(
        'include',
        targets.map((target) => target?.id),
      ),
    ]);
    return (href: string): string | null => {
      const target = linkTarget(href, discovery);
      if (target === null) return null;
      const own = found
        .flat()
        .filter(isPublic)
        .find(({ id, slug, link }) =>
          target.id === null
            ? slug === target.slug
            : id === target.id && (target.isNamed || pathOf(link) === pathOf(href)),
        );
      const path = paths.get(pathOf(href)) ?? (own && postPath(own, sections));
      return path === undefined ? null : path + new URL(href).hash;
    };
  }

  return {
    discovered,
    terms,
    byIds,
    /** Categories without a section, and the tags most used. */
    async subcategories(): Promise<Term[]> {
      const { sections, tags } = await terms();
      const slugs = new Set(sections.subcategories.map(({ slug }) => slug));
      return [...sections.subcategories, ...tags.filter(({ slug }) => !slugs.has(slug))];
    },
    /** The newest posts of some sections; of all, where none is named. */
    async newest(count: number, ...slugs: string[]) {
      return (await page(slugs.length === 0 ? {} : (await terms()).sections.queryOf(...slugs), 1, count))
        .posts;
    },
    /** One page of a section or of all posts (`all`), by date; with a search, by how well they match it. */
    async section(slug: string, number: number, limit: number, search?: string) {
      const query = slug === 'all' ? {} : (await terms()).sections.queryOf(slug);
      return page(
        query && search !== undefined ? { ...query, search, orderby: 'relevance' } : query,
        number,
        limit,
      );
    },
    byAuthor: (id: number, number: number, limit: number) => page({ author: id }, number, limit),
    /** One page of a section within a sub-category. It is counted here: REST takes one clause for a taxonomy. */
    async within(section: string, subcategory: string, number: number, limit: number) {
      const ids = (await walk(subcategory)).filter((post) => post.section === section).map(({ id }) => id);
      const posts = await byIds(ids.slice((number - 1) * limit, number * limit));
      return { posts, totalItems: ids.length, totalPages: Math.ceil(ids.length / limit) };
    },
    /** The newest posts of a sub-category by their section. */
    async bySection(subcategory: string, count: number) {
      const lists = Map.groupBy(await walk(subcategory), ({ section }) => section);
      const newest = [...lists.values()].flatMap((list) => list.slice(0, count).map(({ id }) => id));
      return Map.groupBy(await byIds(newest), ({ cat_slug }) => cat_slug);
    },
    /** The post of an address, in full; null where there is none, or where its address is another one. */
    async post(section: string, slug: string) {
      const [posts, { sections }, discovery] = await Promise.all([
        items(POSTS, { slug, _embed: `${EMBED},wp:term`, _fields: BODY_FIELDS }, WpPost),
        terms(),
        discovered(),
      ]);
      const post = posts.find((each) => each.slug === slug && isPublic(each));
      if (!post || sections.sectionOf(post.categories) !== section) return null;
      const pathOfLink = await linkPaths(post, sections, discovery);
      return { ...listedPost(post, sections, discovery), post_content: bodyOf(post, discovery, pathOfLink) };
    },
    /** An author; by one of the posts, where WordPress closes its users. Null where neither has a name. */
    async author(id: number) {
      const discovery = await discovered();
      const user = await get(`wp/v2/users/${id}`, {}).catch((error: unknown) => {
        if (error instanceof WordpressFailed && [401, 403, 404].includes(error.status ?? 0)) return null;
        throw error;
      });
      if (user) return authorOf(WpUser.parse(user.body), discovery);
      const [post] = await items(
        POSTS,
        { author: id, per_page: 1, _embed: 'author', _fields: LISTED_FIELDS },
        WpPost,
      );
      const embedded = post?._embedded.author[0];
      return authorOf(
        { avatar_urls: {}, ...embedded, id, name: embedded?.name ?? post?.yoast_head_json.author },
        discovery,
      );
    },
    /** Yields the old path of everything that has a page on the site, and the new one. */
    async *redirects(): AsyncGenerator<[from: string, to: string]> {
      const { sections, categories, tags } = await terms();
      for (const term of [...categories, ...tags]) yield [pathOf(term.link), sections.pathOf(term)];
      for (let number = 1, pages = 1; number <= pages; number += 1) {
        const { body, totalPages } = await get(POSTS, {
          _fields: ADDRESS_FIELDS,
          per_page: PAGE,
          page: number,
        });
        pages = totalPages ?? 1;
        for (const post of itemsOf(body, WpPost).filter(isPublic))
          yield [pathOf(post.link), postPath(post, sections)];
      }
    },
  };
}

function isPublic({ content }: WpPost): boolean {
  return !content.protected;
}

function pathOf(link: string): string {
  const url = URL.parse(link);
  return url === null ? '' : url.pathname + url.search;
}

/** Returns the items of a list that are as they should be. Throws where it is no list. */
function itemsOf<T>(body: unknown, item: z.ZodType<T>): T[] {
  if (!Array.isArray(body)) throw new WordpressFailed('another shape than a list');
  return body.flatMap((each) => item.safeParse(each).data ?? []);
}

/** Returns what loads a value, shares a load under way, and keeps the value for a while (ms), and where loading fails. */
function cachedFor<T>(ms: number, load: () => Promise<T>): () => Promise<T> {
  let value: { loaded: T; at: number } | null = null;
  let loading: Promise<T> | null = null;
  return async () => {
    if (value !== null && performance.now() - value.at < ms) return value.loaded;
    loading ??= load().finally(() => {
      loading = null;
    });
    try {
      value = { loaded: await loading, at: performance.now() };
    } catch (error) {
      if (value === null) throw error;
    }
    return value.loaded;
  };
}

import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { readBody } from './bodies.ts';
import { mediaHostsOf } from './pictures.ts';
import {
  ADDRESS_FIELDS,
  authorOf,
  BODY_FIELDS,
  type Body,
  bodyOf,
  episodeOf,
  eventPath,
  isNumbered,
  LISTED_FIELDS,
  linkTarget,
  listedPost,
  postPath,
  slug,
  USER_FIELDS,
  WpMedia,
  WpPost,
  WpUser,
} from './post-fields.ts';
import { type Discovery, discover } from './rest-api-discovery.ts';
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
/** Encoded characters of a slug in WordPress's database, and of a list in an address: servers take 8 kB of that. */
const MAX_SLUG_LENGTH = 200;
const MAX_LIST_LENGTH = 4_000;
/** Short: after a change and its purge the categories are the new ones. */
const TERMS_MS = 5_000;
const DISCOVERY_MS = 3_600_000;
/** Of pictures. */
const MAX_HOSTS = 100;
const MOST_USED_TAGS = { per_page: 30, orderby: 'count', order: 'desc', hide_empty: 'true' };

const WpTerm: z.ZodType<Term> = z.object({
  id: z.number(),
  slug,
  name: z.string(),
  parent: z.number().catch(0),
  count: z.number().catch(0),
  link: z.string().catch(''),
});
const TERM_FIELDS = { _fields: 'id,slug,name,parent,count,link' };

interface Categories {
  sections: Sections;
  categories: Term[];
}

/** Reads a WordPress in the terms of the upstream API. `configured`: WORDPRESS_SECTIONS. Rejects with `WordpressFailed`. */
export function createContentReader(address: string, client: RestClient, configured: string) {
  const found = new LRUCache<'', Discovery>({
    max: 1,
    ttl: DISCOVERY_MS,
    async fetchMethod(_, known) {
      const discovery = await discover(address, client);
      addHosts(discovery, known?.mediaHosts ?? []);
      return discovery;
    },
    // While it is looked for again, and where it cannot be, it is where it was.
    allowStale: true,
    noDeleteOnFetchRejection: true,
  });
  const discovered = () => found.forceFetch('');
  const kept = new LRUCache<'', Categories>({
    max: 1,
    ttl: TERMS_MS,
    async fetchMethod() {
      const categories = await all('wp/v2/categories', TERM_FIELDS, WpTerm);
      return { sections: createSections(categories, configured), categories };
    },
  });
  const terms = () => kept.forceFetch('');
  // Apart from the categories, without which there is no page.
  const keptTags = new LRUCache<'', Term[]>({
    max: 1,
    ttl: TERMS_MS,
    fetchMethod: () => tags(MOST_USED_TAGS),
  });
  const mostUsedTags = () => keptTags.forceFetch('');

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
    return (await items('wp/v2/tags', { ...TERM_FIELDS, ...query }, WpTerm).catch(nullIfHidden)) ?? [];
  }

  async function* each<T>(path: string, query: Query, item: z.ZodType<T>): AsyncGenerator<T> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { items, totalPages } = await list(path, { ...query, per_page: PAGE, page }, item);
      pages = totalPages;
      yield* items;
    }
  }

  /** Items by their ids; none where WordPress or a plugin hides such items. */
  async function hidable<T>(path: string, ids: number[], _fields: string, item: z.ZodType<T>): Promise<T[]> {
    const include = [...new Set(ids.filter((id) => id > 0))].join(',');
    if (include === '') return [];
    return (await items(path, { include, per_page: PAGE, _fields }, item).catch(nullIfHidden)) ?? [];
  }

  /** Posts with their authors and featured images. These are asked for apart where a plugin lets WordPress embed nothing. */
  async function withEmbedded(posts: readonly WpPost[]): Promise<WpPost[]> {
    const bare = posts.filter(({ _embedded }) => Object.values(_embedded).flat().length === 0);
    const [users, media] = await Promise.all([
      hidable(
        'wp/v2/users',
        bare.map(({ author }) => author),
        USER_FIELDS,
        WpUser,
      ),
      hidable(
        'wp/v2/media',
        bare.map(({ featured_media }) => featured_media),
        'id,source_url',
        WpMedia,
      ),
    ]);
    return posts.map((post) => {
      if (!bare.includes(post)) return post;
      const author = users.filter(({ id }) => id === post.author);
      const featured = media.filter(({ id }) => id === post.featured_media);
      return { ...post, _embedded: { author, 'wp:featuredmedia': featured } };
    });
  }

  /** One page of posts, with WordPress's own totals. */
  async function page(query: Query | null, number: number, limit: number) {
    if (query === null) return paged([], 0, 0);
    const _fields = limit > LISTED_WITH_BODY ? LISTED_FIELDS : BODY_FIELDS;
    const asked = { ...query, per_page: limit, page: number, _embed: EMBED, _fields };
    const { items, total, totalPages } = await list(POSTS, asked, WpPost).catch(nothingBeyond);
    const [embedded, { sections }, discovery] = await Promise.all([
      withEmbedded(items.filter(isPublic)),
      terms(),
      discovered(),
    ]);
    addHosts(discovery, featuredHosts(embedded));
    const posts = embedded.map((post) => listedPost(post, sections, discovery));
    return paged(posts, total, totalPages);
  }

  async function byIds(ids: readonly number[]) {
    if (ids.length === 0) return [];
    return (await page({ include: ids.join(','), orderby: 'include' }, 1, ids.length)).postData;
  }

  /**
   * Returns a body with addresses of the site; links lead to its posts, which are asked for together, and to its categories,
   * tags and events; to tags they stay as they are while those cannot be had. `byNumber`: addresses of posts end with their
   * number.
   */
  async function rewritten(body: Body, byNumber = false): Promise<string> {
    const [{ sections, categories }, discovery] = await Promise.all([terms(), discovered()]);
    const targetOf = (href: string) => linkTarget(href, discovery, byNumber);
    const links = readBody(body.content.rendered)
      .links.flatMap((link) => URL.parse(link, body.link || discovery.origin)?.href ?? [])
      .filter((href) => targetOf(href) !== null);
    const linkedTags = links.length === 0 ? [] : await mostUsedTags().catch(() => []);
    const paths = new Map(
      [...categories, ...linkedTags].map((term) => [pageOf(term.link), sections.pathOf(term)]),
    );
    const targets = links.flatMap((href) => (paths.has(pageOf(href)) ? [] : (targetOf(href) ?? [])));
    const ofPosts = targets.filter(({ by }) => by !== 'event');
    const asked = [...Map.groupBy(ofPosts, ({ by }) => by)].flatMap(([by, list]) => {
      const values = [...new Set(list.map(({ value }) => value))].filter(Boolean).slice(0, PAGE);
      return joined(values).map((each) =>
        items(POSTS, { [by]: each, per_page: PAGE, _fields: ADDRESS_FIELDS }, WpPost),
      );
    });
    const found = (await Promise.all(asked)).flat().filter(isPublic);
    return bodyOf(body, discovery, (href) => {
      const target = targetOf(href);
      if (target === null) return null;
      const own = found.find(({ id, slug }) => target.value === (target.by === 'slug' ? slug : String(id)));
      const event = target.by === 'event' ? eventPath(target.value) : undefined;
      const path = event ?? paths.get(pageOf(href)) ?? (own && postPath(own, sections));
      return path === undefined ? null : path + new URL(href).hash;
    });
  }

  return {
    rewritten,
    discovered,
    terms,
    byIds,
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
      const posts = tag ? await all(POSTS, { ...query, _fields: ADDRESS_FIELDS }, WpPost) : [];
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
      const found = posts.filter((each) => each.slug === slug && isPublic(each));
      const [post] = await withEmbedded(found.slice(0, 1));
      if (!post) return [];
      addHosts(discovery, featuredHosts([post]));
      const post_content = episodeOf(post) + (await rewritten(post, isNumbered(post)));
      return [{ ...listedPost(post, sections, discovery), post_content }];
    },
    /** An author; by one of the posts, where WordPress or a plugin hides its users in some way. None where neither has a name. */
    async author(id: number) {
      const discovery = await discovered();
      const response = await client.get(discovery.root, `wp/v2/users/${id}`, {}).catch(nullIfHidden);
      const user = WpUser.safeParse(response?.body).data;
      if (user?.name) return authorOf(user, discovery);
      const query = { author: id, per_page: 1, _embed: 'author', _fields: LISTED_FIELDS };
      const [post] = await items(POSTS, query, WpPost);
      if (!post) return [];
      const embedded = WpUser.parse(post._embedded.author[0] ?? {});
      return authorOf({ ...embedded, id, name: embedded.name ?? post.yoast_head_json.author }, discovery);
    },
    /** Yields the old path of every post, category and tag that has another one now, and that. */
    async *redirects(): AsyncGenerator<[from: string, to: string]> {
      const { sections, categories } = await terms();
      for (const term of categories) yield* moved(term, sections.pathOf(term));
      if ((await mostUsedTags()).length > 0)
        for await (const tag of each('wp/v2/tags', { ...TERM_FIELDS, hide_empty: 'true' }, WpTerm))
          yield* moved(tag, sections.pathOf(tag));
      for await (const post of each(POSTS, { _fields: ADDRESS_FIELDS }, WpPost))
        if (isPublic(post)) yield* moved(post, postPath(post, sections));
    },
  };
}

/** Returns null where a theme or plugin has taken something out of the REST API. Rethrows what may be over by itself. */
function nullIfHidden(error: unknown): null {
  if (error instanceof WordpressFailed && !error.isTemporary) return null;
  throw error;
}

/** Returns the hosts of the featured images of posts, which are files of the media library. */
function featuredHosts(posts: readonly WpPost[]): string[] {
  const media = posts.flatMap(({ _embedded }) => _embedded['wp:featuredmedia']);
  return mediaHostsOf(media.map(({ source_url }) => source_url));
}

/** Joins slugs or ids into lists of which each fits into an address. */
function joined(values: readonly string[]): string[] {
  const lists: string[] = [];
  for (const value of values.filter((each) => encodeURIComponent(each).length <= MAX_SLUG_LENGTH)) {
    const longer = [...lists.splice(-1), value].join(',');
    if (encodeURIComponent(longer).length <= MAX_LIST_LENGTH) lists.push(longer);
    else lists.push(longer.slice(0, -value.length - 1), value);
  }
  return lists;
}

function addHosts({ mediaHosts }: Discovery, hosts: Iterable<string>): void {
  for (const host of hosts) if (mediaHosts.size < MAX_HOSTS) mediaHosts.add(host);
}

/** A page of posts as the upstream API has it. */
function paged<T>(postData: T[], totalItems: number, totalPages: number) {
  return { postData, pagination: { totalItems, totalPages } };
}

function isPublic({ content }: WpPost): boolean {
  return !content.protected;
}

function pathOf(link: string): string {
  const url = URL.parse(link);
  return url === null ? '' : url.pathname + url.search;
}

/** Returns the path of a link in one form: links to the same page differ by a slash, or by how letters are encoded. */
function pageOf(link: string): string {
  return slug.parse(pathOf(link)).replace(/(?<=.)\/$/, '');
}

/** Yields an old path and the new one, unless both are the same page. */
export function* moved({ link }: { link: string }, to: string): Generator<[from: string, to: string]> {
  if (pageOf(link) !== slug.parse(to)) yield [pathOf(link), to];
}

/** Returns no items where a page is past the last one. Throws every other error. */
function nothingBeyond(error: unknown) {
  if (!(error instanceof WordpressFailed) || error.code !== 'rest_post_invalid_page_number') throw error;
  return { items: [], total: 0, totalPages: 0 };
}

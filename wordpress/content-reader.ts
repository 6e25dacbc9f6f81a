import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { readBody } from './bodies.ts';
import { describedApart } from './descriptions.ts';
import {
  addressOf,
  authorPath,
  type Ending,
  endingOf,
  feedOf,
  foldersOf,
  isFeed,
  linkTarget,
  pageOf,
  pathBelow,
  type Target,
} from './links.ts';
import { mediaHostsOf } from './pictures.ts';
import {
  ADDRESS_FIELDS,
  authorOf,
  BODY_FIELDS,
  type Body,
  bodyOf,
  episodeOf,
  LISTED_FIELDS,
  listedPost,
  MEDIA_FIELDS,
  READ_FIELDS,
  type Term,
  USER_FIELDS,
  WpMedia,
  WpPost,
  WpTerm,
  WpUser,
} from './post-fields.ts';
import { type Discovery, discover } from './rest-api-discovery.ts';
import { inPlaceOf, type Query, type RestClient, WordpressFailed } from './rest-client.ts';
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
/** Encoded characters of a slug in WordPress's database, and of a list in an address: servers take 8 kB of that. */
const MAX_SLUG_LENGTH = 200;
const MAX_LIST_LENGTH = 4_000;
/** Of one body that are looked up. */
const MAX_LINKS = 500;
const MAX_KNOWN_AUTHORS = 1_000;
/** Short: after a change and its purge the categories are the new ones. */
const TERMS_MS = 5_000;
const DISCOVERY_MS = 3_600_000;
/** How long it is where it was found again (ms), whatever calls say: a firewall has no page for some searches. */
const REDISCOVERY_MS = 60_000;
/** Of pictures. */
const MAX_HOSTS = 100;
/** For what is read in several pages: posts of one date, as after an import, would come in another order on each. */
export const BY_ID = { orderby: 'id' };
/** Of a page past the last one. */
const NOTHING = { items: [], total: 0, totalPages: 0 };
const nothingBeyond = inPlaceOf(({ code }) => code === 'rest_post_invalid_page_number', NOTHING);
const MOST_USED_TAGS = { per_page: 30, orderby: 'count', order: 'desc', hide_empty: 'true' };

export const TERM_FIELDS = { _fields: 'id,slug,name,parent,count,link' };

/**
 * Returns what loads a value, and keeps it for some time; with `true` it is loaded again before that is over. `load` gets the last
 * one, where that is still known.
 */
function kept<T extends object>(
  ttl: number,
  load: (known?: T) => Promise<T>,
  options: Pick<LRUCache.OptionsBase<'', T, unknown>, 'allowStale' | 'noDeleteOnFetchRejection'> = {},
): (forceRefresh?: boolean) => Promise<T> {
  const cache = new LRUCache<'', T>({ max: 1, ttl, fetchMethod: (_, known) => load(known), ...options });
  return (forceRefresh = false) => cache.forceFetch('', { forceRefresh });
}

/** Reads a WordPress in the terms of the upstream API. `configured`: WORDPRESS_SECTIONS. Rejects with `WordpressFailed`. */
export function createContentReader(address: string, client: RestClient, configured: string) {
  let rediscoveredAt = Number.NEGATIVE_INFINITY;
  const discovered = kept(
    DISCOVERY_MS,
    async (known?: Discovery) => {
      const discovery = await discover(address, client);
      if (known) rediscoveredAt = performance.now();
      addHosts(discovery, known?.mediaHosts ?? []);
      return discovery;
    },
    // While it is looked for again, and where it cannot be, it is where it was.
    { allowStale: true, noDeleteOnFetchRejection: true },
  );
  const terms = kept(TERMS_MS, async () => {
    const categories = await all('wp/v2/categories', TERM_FIELDS, WpTerm);
    return { sections: createSections(categories, configured), categories };
  });
  // Apart from the categories, without which there is no page.
  const mostUsedTags = kept(TERMS_MS, () => tags(MOST_USED_TAGS));
  /** Ids of the authors that posts have told, by the page of their archive. */
  const knownAuthors = new LRUCache<string, number>({ max: MAX_KNOWN_AUTHORS });

  async function list<T>(path: string, query: Query, item: z.ZodType<T>) {
    const { root } = await discovered();
    return client.list(root, path, query, item).catch(async (error: unknown) => {
      // Of the web server, not of the API: permalinks were turned on or off, and the next call finds where the API is now.
      const isGone = error instanceof WordpressFailed && error.status === 404 && error.code === '';
      if (isGone && performance.now() - rediscoveredAt > REDISCOVERY_MS) await discovered(true);
      throw error;
    });
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
    return items('wp/v2/tags', { ...TERM_FIELDS, ...query }, WpTerm).catch(ifHidden([]));
  }

  async function* each<T>(path: string, query: Query, item: z.ZodType<T>): AsyncGenerator<T> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { items, totalPages } = await list(path, { ...query, per_page: PAGE, page }, item);
      pages = totalPages;
      yield* items;
    }
  }

  /** Items by their ids (`include`) or slugs; none where WordPress or a plugin hides such items. */
  async function lookUp<T>(
    path: string,
    by: 'include' | 'slug',
    values: readonly (string | number)[],
    _fields: string,
    item: z.ZodType<T>,
  ): Promise<T[]> {
    const wanted = [...new Set(values.map(String))].filter((value) => value !== '' && value !== '0');
    const asked = joined(wanted.slice(0, MAX_LINKS)).map((list) =>
      items(path, { [by]: list, ...BY_ID, per_page: PAGE, _fields }, item).catch(ifHidden([])),
    );
    return (await Promise.all(asked)).flat();
  }

  function learnAuthors(users: readonly z.infer<typeof WpUser>[]): void {
    for (const { id, link } of users) if (id > 0 && link !== '') knownAuthors.set(pageOf(link), id);
  }

  /** Posts with their authors and featured images. These are asked for apart where a plugin lets WordPress embed nothing. */
  async function withEmbedded(posts: readonly WpPost[]): Promise<WpPost[]> {
    const bare = posts.filter(({ _embedded }) => Object.values(_embedded).flat().length === 0);
    const authors = bare.map(({ author }) => author);
    const pictures = bare.map(({ featured_media }) => featured_media);
    const [users, media] = await Promise.all([
      lookUp('wp/v2/users', 'include', authors, USER_FIELDS, WpUser),
      lookUp('wp/v2/media', 'include', pictures, MEDIA_FIELDS, WpMedia),
    ]);
    learnAuthors([...posts.flatMap(({ _embedded }) => _embedded.author), ...users]);
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

  /** Returns what tells the site's address of each link, for which posts, authors and attachments are asked for together. */
  async function linkReader({ content, link }: Body, ending: Ending) {
    const [{ sections, categories }, discovery] = await Promise.all([terms(), discovered()]);
    const read = readBody(content.rendered);
    const absolute = (links: readonly string[]) =>
      links.flatMap((each) => URL.parse(each, link || discovery.origin)?.href ?? []);
    const links = absolute(read.links).filter((href) => pathBelow(href, discovery.homes) !== null);
    const linkedTags = links.length === 0 ? [] : await mostUsedTags().catch(() => []);
    const known = new Map([...knownAuthors.entries()].map(([page, id]) => [page, authorPath(id)]));
    const below = (pages: readonly string[]) => foldersOf(pages, discovery.homes);
    const top = categories.filter(({ parent }) => parent === 0);
    // WordPress finds a category without those above it too.
    for (const folder of below(top.map((category) => category.link)))
      for (const category of categories) known.set(`${folder}/${category.slug}`, sections.pathOf(category));
    for (const term of [...categories, ...linkedTags]) known.set(pageOf(term.link), sections.pathOf(term));
    // The front page, and what a plugin leaves without a link.
    known.delete('');
    const folders = {
      tag: below(linkedTags.map((tag) => tag.link)),
      author: below([...knownAuthors.keys()].map((page) => discovery.origin + page)),
    };
    const targetOf = (href: string) => linkTarget(href, discovery, ending, folders);
    const pictured = new Set(absolute(read.pictureLinks));
    const wanted = [...new Set(links)]
      .filter((href) => !known.has(pageOf(href)))
      .map((href) => ({ target: targetOf(href), isPictured: pictured.has(href) }));
    const valuesOf = (by: Target['by'], among = wanted) =>
      among.flatMap(({ target }) => (target?.by === by ? target.value : []));
    const ofPictures = wanted.filter(({ isPictured }) => isPictured);
    const [bySlug, byId, users, files, filesById] = await Promise.all([
      lookUp(POSTS, 'slug', valuesOf('slug'), ADDRESS_FIELDS, WpPost),
      lookUp(POSTS, 'include', valuesOf('include'), ADDRESS_FIELDS, WpPost),
      lookUp('wp/v2/users', 'slug', valuesOf('author'), 'id,link', WpUser),
      lookUp('wp/v2/media', 'slug', valuesOf('slug', ofPictures), MEDIA_FIELDS, WpMedia),
      lookUp('wp/v2/media', 'include', valuesOf('attachment'), MEDIA_FIELDS, WpMedia),
    ]);
    learnAuthors(users);
    for (const { id, link } of users) known.set(pageOf(link), authorPath(id));
    const linked = {
      sections,
      categories,
      posts: [...bySlug, ...byId].filter(isPublic),
      files: [...files, ...filesById],
    };
    return (href: string): string | null => {
      if (pathBelow(href, discovery.homes) === null) return null;
      const target = targetOf(href);
      const path = known.get(pageOf(href)) ?? (target && addressOf(target, linked)) ?? null;
      return path && (isFeed(href) ? feedOf(path) : path + new URL(href).hash);
    };
  }

  /**
   * Returns a body with addresses of the site. Links lead to its pages, and those to attachments to their files; what is not
   * known stays as it is. `ending`: of the addresses of posts.
   */
  async function rewritten(body: Body, ending: Ending = 'name'): Promise<string> {
    return bodyOf(body, await discovered(), await linkReader(body, ending));
  }

  return {
    rewritten,
    discovered,
    terms,
    byIds,
    mostUsedTags,
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
        items(POSTS, { slug, _embed: EMBED, _fields: READ_FIELDS }, WpPost),
        terms(),
        discovered(),
      ]);
      const found = posts.filter((each) => each.slug === slug && isPublic(each));
      const [post] = await withEmbedded(found.slice(0, 1));
      if (!post) return [];
      addHosts(discovery, featuredHosts([post]));
      const listed = listedPost(post, sections, discovery);
      const [content, meta_description] = await Promise.all([
        rewritten(post, endingOf(post)),
        listed.meta_description || describedApart(post, discovery, client),
      ]);
      return [{ ...listed, meta_description, post_content: episodeOf(post) + content }];
    },
    /** An author; by one of the posts, where WordPress or a plugin hides its users in some way. None where neither has a name. */
    async author(id: number) {
      const discovery = await discovered();
      const response = await client.get(discovery.root, `wp/v2/users/${id}`, {}).catch(ifHidden(null));
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

/** Of what a theme or plugin has taken out of the REST API. What may be over by itself stays an error. */
export const ifHidden = <T>(value: T) => inPlaceOf(({ isTemporary }) => !isTemporary, value);

/** Returns the hosts of the featured images of posts, which are files of the media library. */
function featuredHosts(posts: readonly WpPost[]): string[] {
  const media = posts.flatMap(({ _embedded }) => _embedded['wp:featuredmedia']);
  return mediaHostsOf(media.map(({ source_url }) => source_url));
}

/** The newest first. WordPress has those of one moment in another order each time. */
function byDate(one: WpPost, other: WpPost): number {
  return (other.date_gmt ?? '').localeCompare(one.date_gmt ?? '') || other.id - one.id;
}

/** Joins slugs or ids into lists of which each fits into an address, and what it names on a page. */
function joined(values: readonly string[]): string[] {
  const lists: string[][] = [];
  for (const value of values.filter((each) => encodeURIComponent(each).length <= MAX_SLUG_LENGTH)) {
    const last = lists.at(-1) ?? [];
    const length = encodeURIComponent([...last, value].join(',')).length;
    if (last.length > 0 && last.length < PAGE && length <= MAX_LIST_LENGTH) last.push(value);
    else lists.push([value]);
  }
  return lists.map((list) => list.join(','));
}

function addHosts({ mediaHosts }: Discovery, hosts: Iterable<string>): void {
  for (const host of hosts) if (mediaHosts.size < MAX_HOSTS) mediaHosts.add(host);
}

/** A page of posts as the upstream API has it. */
function paged<T>(postData: T[], totalItems: number, totalPages: number) {
  return { postData, pagination: { totalItems, totalPages } };
}

export function isPublic({ content }: WpPost): boolean {
  return !content.protected;
}

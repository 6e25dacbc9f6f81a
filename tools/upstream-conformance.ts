import type { CmsClient } from '#server/cms/client/cms-client.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { CmsApi } from '#server/cms/cms-api.ts';
import { type CmsCall, cmsCalls } from '#server/cms/cms-calls.ts';
import type { LeftOutReport } from '#server/cms/lenient-parsing.ts';
import { EVENT_TABS, type EventTab } from '#shared/models/event-tabs.ts';
import { RESOURCE_TABLE, type Resource } from '#shared/models/resources-and-policies.ts';

/** What became of one call of the specification, section 7. */
export interface CheckedCall {
  call: string;
  /** Without it a page could not be made; otherwise a section of a page would be missing. */
  isPrimary: boolean;
  outcome: 'fits' | 'fits in part' | 'fails' | 'not called';
  /** What came, or why nothing could be used. */
  detail: string;
  leftOut: readonly LeftOutReport[];
}

/** Resolves with what came; null: the upstream does not have what a list names; undefined: there is nothing to ask with. */
type Ask = () => Promise<string | null | undefined>;

/** The page of a topic that is asked for. */
const PAGE = { page: 1, limit: 10 };

/** Slugs and ids that the lists have brought, to ask for details with. */
interface Found {
  categories: Set<string>;
  post?: { category: string; slug: string } | undefined;
  authorId?: string | null | undefined;
  subcategory?: string | undefined;
  event?: string | undefined;
}

/** Articles whose bodies are read, for what of them becomes a link or goes. */
const BODIES_OF_A_SECTION = 10;
const WRITES = ['postCount', 'subscribe', 'contact', 'optOut'] as const;
type Read = Exclude<keyof typeof cmsCalls, (typeof WRITES)[number]>;

/** What checks one read of `cmsCalls`: the resource that it brings, and the calls by their names. */
interface Check {
  resource: Resource;
  asks: Readonly<Record<string, Ask>>;
}

/** Returns what asks each call, lists before the details that they lead to. */
function checksOf(cms: CmsApi): Record<Read, Check> {
  const found: Found = { categories: new Set() };
  type Posts = readonly { category: string; slug: string }[];
  const posts = (list: () => Promise<Posts>) => async () => {
    const all = await list();
    found.post ??= all[0];
    for (const { category } of all) found.categories.add(category);
    return `${all.length} posts`;
  };
  const menu = (lists: () => Promise<Readonly<Record<string, Posts>>>) =>
    posts(async () => Object.values(await lists()).flat());
  const counted = (list: () => Promise<readonly unknown[]>, what: string) => async () =>
    `${(await list()).length} ${what}`;
  const events = (tab: EventTab) => async () => {
    const { events } = await cms.events({ tab, page: 1 });
    found.event ??= events[0]?.slug;
    return `${events.length} events`;
  };
  const check = (resource: Resource, { call }: CmsCall, ask: Ask): Check => ({
    resource,
    asks: { [call]: ask },
  });
  return {
    latestPost: check('navigation', cmsCalls.latestPost, menu(cms.latestPost)),
    leadership: check('navigation', cmsCalls.leadership, menu(cms.leadership)),
    featured: check('navigation', cmsCalls.featured, menu(cms.featured)),
    homeLatest: check('home', cmsCalls.homeLatest, posts(cms.homeLatest)),
    homeLatestNews: check('home', cmsCalls.homeLatestNews, posts(cms.homeLatestNews)),
    homePopular: check('home', cmsCalls.homePopular, posts(cms.homePopular)),
    homeInterview: check('home', cmsCalls.homeInterview, posts(cms.homeInterview)),
    homeQuickByte: check('home', cmsCalls.homeQuickByte, posts(cms.homeQuickByte)),
    homeArticle: check('home', cmsCalls.homeArticle, posts(cms.homeArticle)),
    homePodcast: check('home', cmsCalls.homePodcast, posts(cms.homePodcast)),
    latest: check('latest', cmsCalls.latest, posts(cms.latest)),
    categories: check('categories', cmsCalls.categories, counted(cms.categories, 'categories')),
    subcategories: check('subcategories', cmsCalls.subcategories, async () => {
      const subcategories = await cms.subcategories();
      found.subcategory = subcategories[0]?.slug;
      return `${subcategories.length} sub-categories`;
    }),
    advertisements: check('ads', cmsCalls.advertisements, counted(cms.advertisements, 'advertisements')),
    events: {
      resource: 'events',
      asks: Object.fromEntries(
        EVENT_TABS.map((tab) => [cmsCalls.events({ tab, page: 1 }).call, events(tab)]),
      ),
    },
    tag: check('tag', cmsCalls.tag(''), async () => {
      if (!found.subcategory) return undefined;
      const sections = Object.values(await cms.tag(found.subcategory));
      return `${sections.flat().length} posts of ${found.subcategory}`;
    }),
    topic: check('topic', cmsCalls.topic({ category: '', subcategory: null, ...PAGE }), async () => {
      if (!found.post) return undefined;
      const { category } = found.post;
      const { posts, totalPages } = await cms.topic({ category, subcategory: null, ...PAGE });
      return `${posts.length} posts of ${category}, ${totalPages} pages`;
    }),
    asideTopic: check(
      'aside',
      cmsCalls.asideTopic(''),
      async () => found.post && `${(await cms.asideTopic(found.post.category)).length} posts`,
    ),
    search: check('search', cmsCalls.search({ category: '', term: '', page: 1 }), async () => {
      if (!found.post) return undefined;
      const { posts, totalPages } = await cms.search({ category: found.post.category, term: 'a', page: 1 });
      return `${posts.length} posts, ${totalPages} pages`;
    }),
    postDetails: {
      resource: 'article',
      asks: {
        async [cmsCalls.postDetails({ category: '', slug: '' }).call]() {
          const details = found.post && (await cms.postDetails(found.post));
          found.authorId = details?.authorId;
          return details && `“${details.article.title}”`;
        },
        async 'bodies of articles'() {
          let read = 0;
          for (const category of found.categories) {
            const topic = { category, subcategory: null, page: 1, limit: BODIES_OF_A_SECTION };
            for (const post of (await cms.topic(topic)).posts.slice(0, BODIES_OF_A_SECTION))
              if (await cms.postDetails(post)) read += 1;
          }
          return `${read} of ${found.categories.size} sections`;
        },
      },
    },
    authorPosts: check('authorposts', cmsCalls.authorPosts({ id: '', page: 1 }), async () => {
      if (!found.authorId) return undefined;
      const list = await cms.authorPosts({ id: found.authorId, page: 1 });
      return list
        ? `${list.posts.length} posts, ${list.totalPages} pages`
        : 'it has none: authors have no page';
    }),
    author: check(
      'author',
      cmsCalls.author(''),
      async () => found.authorId && ((await cms.author(found.authorId))?.name ?? null),
    ),
    event: check('event', cmsCalls.event(''), async () => {
      const details = found.event && (await cms.event(found.event));
      return details && `“${details.title}”`;
    }),
  };
}

/**
 * Calls each read of the specification at an upstream, and yields what fits. `takeReports` returns what was left out since
 * it was last called.
 */
export async function* checkUpstream(
  cms: CmsApi,
  takeReports: () => LeftOutReport[],
): AsyncGenerator<CheckedCall> {
  for (const { resource, asks } of Object.values(checksOf(cms)))
    for (const [call, ask] of Object.entries(asks))
      yield { call, ...(await outcomeOf(resource, ask, takeReports)) };
}

/** Yields the writes that are not called: they would store something. */
export function* uncalledWrites(called: readonly CmsCall[]): Generator<CheckedCall> {
  for (const name of WRITES) {
    const { call } = typeof cmsCalls[name] === 'function' ? cmsCalls[name]('') : cmsCalls[name];
    if (called.some((one) => one.call === call)) continue;
    yield { call, isPrimary: false, outcome: 'not called', detail: 'it would store something', leftOut: [] };
  }
}

/** The writes that `checkRepeats` calls. */
export const REPEATED_WRITES = [cmsCalls.subscribe, cmsCalls.contact] as const;

/**
 * Sends a subscription and a contact message, each twice under one `Idempotency-Key`, as after a response that did not
 * arrive. `mark`: a text of its own for each run, by which they are found at the upstream. What is stored, only its
 * operators can see.
 */
export async function* checkRepeats(
  client: Pick<CmsClient, 'post'>,
  mark: string,
): AsyncGenerator<CheckedCall> {
  const email = `${mark}@example.com`;
  const message = {
    first_name: 'Check',
    last_name: 'Upstream',
    email,
    phone: '202 555 0142',
    message: `A repeat of one message: it should be stored once (${mark}).`,
    opt_in: false,
  };
  for (const { call, path } of REPEATED_WRITES) {
    const body = path === cmsCalls.subscribe.path ? { email } : message;
    const send = () => client.post(path, body, { call, idempotencyKey: `${mark}-${call}` });
    const common = { call, isPrimary: false, leftOut: [] };
    try {
      const statuses = [(await send()).status, (await send()).status];
      const [first = 0, second = 0] = statuses;
      const isTaken = first >= 200 && first < 300;
      // A subscription that is there already may also be told by its address.
      const isRepeated = second === first || (second === 404 && path === cmsCalls.subscribe.path);
      yield {
        ...common,
        outcome: isTaken && isRepeated ? 'fits' : isTaken ? 'fits in part' : 'fails',
        detail: `sent twice under one Idempotency-Key: ${statuses.join(', then ')}; look there that ${email} is stored once`,
      };
    } catch (error) {
      yield { ...common, outcome: 'fails', detail: error instanceof Error ? error.message : String(error) };
    }
  }
}

async function outcomeOf(
  resource: Resource,
  ask: Ask,
  takeReports: () => LeftOutReport[],
): Promise<Omit<CheckedCall, 'call'>> {
  const isPrimary = RESOURCE_TABLE[resource].role === 'primary';
  try {
    const detail = await ask();
    const leftOut = takeReports();
    if (detail === undefined) {
      // A publication may have no events and no sub-categories, but not be without a single post.
      const outcome = resource === 'article' ? 'fails' : 'not called';
      return { isPrimary, outcome, detail: 'no list brought anything to ask with', leftOut };
    }
    if (detail === null)
      return { isPrimary, outcome: 'fails', detail: 'not found, though a list names it', leftOut };
    return { isPrimary, outcome: leftOut.length === 0 ? 'fits' : 'fits in part', detail, leftOut };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    // The specification leads every topic to /404 then; with any other failure a topic lacks its tabs.
    const is500 = error instanceof UpstreamError && error.status === 500;
    return {
      isPrimary: isPrimary || (resource === 'subcategories' && is500),
      outcome: 'fails',
      detail,
      leftOut: takeReports(),
    };
  }
}

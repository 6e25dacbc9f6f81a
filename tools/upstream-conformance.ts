import type { CmsApi } from '#server/cms/cms-api.ts';
import type { LeftOutReport } from '#server/cms/parse-list.ts';
import type { EventTab } from '#shared/models/event-tabs.ts';

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

/** Slugs and ids that the lists have brought, to ask for details with. */
interface Found {
  categories: Set<string>;
  post?: { category: string; slug: string } | undefined;
  authorId?: string | null | undefined;
  subcategory?: string | undefined;
  event?: string | undefined;
}

const PRIMARY = new Set([
  'category.subcatlist',
  'event.all',
  'event.upcoming',
  'event.past',
  'event.eventdetails',
  'post.tag',
  'post.topic',
  'post.search',
  'post.postdetails',
]);
/** Articles whose bodies are read, for what of them becomes a link or goes. */
const BODIES_OF_A_SECTION = 10;
const WRITES = ['post.post_count', 'subscribe.add', 'contact.add'];

/** Returns what asks each call, lists before the details that they lead to. */
function readsOf(cms: CmsApi): Record<string, Ask> {
  const found: Found = { categories: new Set() };
  type Posts = readonly { category: string; slug: string }[];
  const posts = (list: () => Promise<Posts>) => async () => {
    const all = await list();
    found.post ??= all[0];
    for (const { category } of all) found.categories.add(category);
    return `${all.length} posts`;
  };
  const events = (tab: EventTab) => async () => {
    const { events } = await cms.events({ tab, page: 1 });
    found.event ??= events[0]?.slug;
    return `${events.length} events`;
  };
  return {
    'post.latestPost': posts(async () => Object.values(await cms.latestPost()).flat()),
    'post.leadership': posts(async () => Object.values(await cms.leadership()).flat()),
    'post.featured': posts(async () => Object.values(await cms.featured()).flat()),
    'post.homelatest': posts(cms.homeLatest),
    'post.homelatestnews': posts(cms.homeLatestNews),
    'post.homepopular': posts(cms.homePopular),
    'post.homeinterview': posts(cms.homeInterview),
    'post.homequickbyte': posts(cms.homeQuickByte),
    'post.homearticle': posts(cms.homeArticle),
    'post.homepodcast': posts(cms.homePodcast),
    'post.latest': posts(cms.latest),
    'category.all': async () => `${(await cms.categories()).length} categories`,
    'category.subcatlist': async () => {
      const subcategories = await cms.subcategories();
      found.subcategory = subcategories[0]?.slug;
      return `${subcategories.length} sub-categories`;
    },
    'advertisement.get_active': async () => `${(await cms.advertisements()).length} advertisements`,
    'event.all': events('all'),
    'event.upcoming': events('upcoming'),
    'event.past': events('past'),
    async 'post.tag'() {
      if (!found.subcategory) return undefined;
      const sections = Object.values(await cms.tag(found.subcategory));
      return `${sections.flat().length} posts of ${found.subcategory}`;
    },
    async 'post.topic'() {
      if (!found.post) return undefined;
      const { category } = found.post;
      const { posts, totalPages } = await cms.topic({ category, subcategory: null, page: 1, limit: 10 });
      return `${posts.length} posts of ${category}, ${totalPages} pages`;
    },
    async 'post.asidetopic'() {
      return found.post && `${(await cms.asideTopic(found.post.category)).length} posts`;
    },
    async 'post.search'() {
      if (!found.post) return undefined;
      const { posts, totalPages } = await cms.search({ category: found.post.category, term: 'a', page: 1 });
      return `${posts.length} posts, ${totalPages} pages`;
    },
    async 'post.postdetails'() {
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
    async author() {
      return found.authorId && ((await cms.author(found.authorId))?.name ?? null);
    },
    async 'event.eventdetails'() {
      const details = found.event && (await cms.event(found.event));
      return details && `“${details.title}”`;
    },
  };
}

/**
 * Calls each read of the specification at an upstream, and yields what fits. `takeReports` returns what was left out since
 * it was last called. Writes are not called: they would store something.
 */
export async function* checkUpstream(
  cms: CmsApi,
  takeReports: () => LeftOutReport[],
): AsyncGenerator<CheckedCall> {
  for (const [call, ask] of Object.entries(readsOf(cms)))
    yield { call, isPrimary: PRIMARY.has(call), ...(await outcomeOf(call, ask, takeReports)) };
  for (const call of WRITES)
    yield { call, isPrimary: false, outcome: 'not called', detail: 'it would store something', leftOut: [] };
}

async function outcomeOf(
  call: string,
  ask: Ask,
  takeReports: () => LeftOutReport[],
): Promise<Pick<CheckedCall, 'outcome' | 'detail' | 'leftOut'>> {
  try {
    const detail = await ask();
    const leftOut = takeReports();
    if (detail === undefined) {
      const outcome = call === 'post.postdetails' ? 'fails' : 'not called';
      return { outcome, detail: 'no list brought anything to ask with', leftOut };
    }
    if (detail === null) return { outcome: 'fails', detail: 'not found, though a list names it', leftOut };
    return { outcome: leftOut.length === 0 ? 'fits' : 'fits in part', detail, leftOut };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { outcome: 'fails', detail, leftOut: takeReports() };
  }
}

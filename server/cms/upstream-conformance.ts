import type { EventTab } from '#shared/models/event-tabs.ts';
import type { CmsApi } from './cms-api.ts';

/** Something of a response that could not be used: an item, or part of a body. */
export interface LeftOutReport {
  call: string;
  reason: string;
  items: number;
}

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

/** Slugs and ids that the lists have brought, to ask for details with. */
interface Found {
  post: { category: string; slug: string } | null;
  authorId: string | null;
  subcategory: string | null;
  event: string | null;
}

const WRITES = ['post.post_count', 'subscribe.add', 'contact.add'];
const NOTHING_TO_ASK_WITH = 'no list brought anything to ask with';

/**
 * Calls each read of the specification at an upstream, lists before the details that they lead to, and yields what fits.
 * `takeReports` returns what was left out since it was last called. Writes are not called: they would store something.
 */
export async function* checkUpstream(
  cms: CmsApi,
  takeReports: () => LeftOutReport[],
): AsyncGenerator<CheckedCall> {
  const found: Found = { post: null, authorId: null, subcategory: null, event: null };

  async function check(
    call: string,
    isPrimary: boolean,
    ask: (() => Promise<string | null>) | null,
  ): Promise<CheckedCall> {
    if (ask === null)
      return {
        call,
        isPrimary,
        outcome: call === 'post.postdetails' ? 'fails' : 'not called',
        detail: NOTHING_TO_ASK_WITH,
        leftOut: [],
      };
    try {
      const detail = await ask();
      const leftOut = takeReports();
      if (detail === null)
        return { call, isPrimary, outcome: 'fails', detail: 'not found, though a list names it', leftOut };
      return { call, isPrimary, outcome: leftOut.length === 0 ? 'fits' : 'fits in part', detail, leftOut };
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { call, isPrimary, outcome: 'fails', detail, leftOut: takeReports() };
    }
  }

  const posts = (list: readonly { category: string; slug: string }[]) => {
    found.post ??= list[0] ?? null;
    return `${list.length} posts`;
  };

  yield await check('post.latestPost', false, async () => {
    const { news, quickBytes } = await cms.latestPost();
    return posts([...news, ...quickBytes]);
  });
  yield await check('post.leadership', false, async () => {
    const { podcasts, interviews, guestPosts } = await cms.leadership();
    return posts([...podcasts, ...interviews, ...guestPosts]);
  });
  yield await check('post.featured', false, async () => {
    const { articles, learning } = await cms.featured();
    return posts([...articles, ...learning]);
  });
  const lists = {
    'post.homelatest': cms.homeLatest,
    'post.homelatestnews': cms.homeLatestNews,
    'post.homepopular': cms.homePopular,
    'post.homeinterview': cms.homeInterview,
    'post.homequickbyte': cms.homeQuickByte,
    'post.homearticle': cms.homeArticle,
    'post.homepodcast': cms.homePodcast,
    'post.latest': cms.latest,
  };
  for (const [call, list] of Object.entries(lists))
    yield await check(call, false, async () => posts(await list()));

  yield await check('category.all', false, async () => `${(await cms.categories()).length} categories`);
  yield await check('category.subcatlist', true, async () => {
    const subcategories = await cms.subcategories();
    found.subcategory = subcategories[0]?.slug ?? null;
    return `${subcategories.length} sub-categories`;
  });
  yield await check(
    'advertisement.get_active',
    false,
    async () => `${(await cms.advertisements()).length} advertisements`,
  );
  for (const tab of ['all', 'upcoming', 'past'] satisfies EventTab[]) {
    yield await check(`event.${tab}`, true, async () => {
      const { events } = await cms.events({ tab, page: 1 });
      found.event ??= events[0]?.slug ?? null;
      return `${events.length} events`;
    });
  }

  const { post, subcategory, event } = found;
  yield await check(
    'post.tag',
    true,
    subcategory === null
      ? null
      : async () => {
          const sections = Object.values(await cms.tag(subcategory));
          return `${sections.flat().length} posts of ${subcategory}`;
        },
  );
  yield await check(
    'post.topic',
    true,
    post &&
      (async () => {
        const topic = { category: post.category, subcategory: null, page: 1, limit: 10 };
        const { posts, totalPages } = await cms.topic(topic);
        return `${posts.length} posts of ${post.category}, ${totalPages} pages`;
      }),
  );
  yield await check(
    'post.asidetopic',
    false,
    post && (async () => `${(await cms.asideTopic(post.category)).length} posts`),
  );
  yield await check(
    'post.search',
    true,
    post &&
      (async () => {
        const { posts, totalPages } = await cms.search({ category: post.category, term: 'a', page: 1 });
        return `${posts.length} posts, ${totalPages} pages`;
      }),
  );
  yield await check(
    'post.postdetails',
    true,
    post &&
      (async () => {
        const details = await cms.postDetails(post);
        found.authorId = details?.authorId ?? null;
        return details && `“${details.article.title}”`;
      }),
  );
  const { authorId } = found;
  yield await check(
    'author',
    false,
    authorId === null
      ? null
      : async () => {
          const author = await cms.author(authorId);
          return author?.name ?? null;
        },
  );
  yield await check(
    'event.eventdetails',
    true,
    event === null
      ? null
      : async () => {
          const details = await cms.event(event);
          return details && `“${details.title}”`;
        },
  );
  for (const call of WRITES)
    yield { call, isPrimary: false, outcome: 'not called', detail: 'it would store something', leftOut: [] };
}

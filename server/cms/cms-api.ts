import type { ZodType } from 'zod';
import type { Article, Author, Heading } from '#shared/models/article.ts';
import type { EventDetail, EventSummary } from '#shared/models/event.ts';
import type { EventTab } from '#shared/models/event-tabs.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { CmsClient, GetOptions } from './client/cms-client.ts';
import { UpstreamError } from './client/upstream-error.ts';
import * as schemas from './cms-entity-schemas.ts';
import { type CmsCall, cmsCalls } from './cms-paths.ts';
import * as responses from './cms-response-schemas.ts';
import { normaliseAdvertisement } from './normalise/normalise-advertisement.ts';
import { normaliseArticle, type RenderBody } from './normalise/normalise-article.ts';
import { normaliseAuthor } from './normalise/normalise-author.ts';
import { normaliseCategory, normaliseSubcategory } from './normalise/normalise-category.ts';
import { normaliseEvent, normaliseEventDetail } from './normalise/normalise-event.ts';
import { createImageResolver } from './normalise/normalise-image.ts';
import { normalisePost } from './normalise/normalise-post.ts';
import { slugOf } from './normalise/normalise-text.ts';
import { isLeftOut, type LeftOut, parseList, type ReportLeftOut } from './parse-list.ts';

export type ReadOptions = Pick<GetOptions, 'retry'>;

/** Makes upstream HTML safe and finds its headings. `reduced`: why it could not be kept whole, for the log. */
export type RenderHtml = (
  html: string,
  options: { imageHost: string; imagesServedBelow: string | null },
) => { html: string; headings: Heading[]; reduced: string | null };

export interface CmsApiOptions {
  client: Pick<CmsClient, 'get'>;
  renderHtml: RenderHtml;
  /** IMAGE_HOST, or a base path of our own site such as `/media`. */
  imageHost: string;
  /** Path of our own site that serves resized images of `imageHost`. Default: image URLs are those of `imageHost`. */
  imagesServedBelow?: string | null;
  report: ReportLeftOut;
}

/** Posts of one page of a list, and the upstream's totals. */
export interface PostPage {
  posts: PostSummary[];
  totalItems: number;
  totalPages: number;
}

interface PostDetails {
  article: Article;
  authorId: string | null;
}

/** The upstream's GET calls, which return our own models. Every method rejects with nothing but `UpstreamError`. */
export type CmsApi = ReturnType<typeof createCmsApi>;

/** Items of a detail's list that are tried: each costs a report, and its body is rendered. */
const MAX_DETAILS = 10;

/** Whether the upstream says that a detail does not exist: 404, or 410 for one that it has retracted (RFC 9110, 15.5.11). */
function isAbsent(error: unknown): boolean {
  return error instanceof UpstreamError && (error.status === 404 || error.status === 410);
}

/** Fetches upstream responses, checks them and normalises them. */
export function createCmsApi(options: CmsApiOptions) {
  const { client, renderHtml, imageHost, imagesServedBelow = null, report } = options;
  const imageOf = createImageResolver(imageHost, imagesServedBelow);

  async function ask<T>({ call, path }: CmsCall, shape: ZodType<T>, options: ReadOptions = {}): Promise<T> {
    const response = shape.safeParse(await client.get(path, { call, ...options }));
    if (!response.success) throw misshapen(call);
    return response.data;
  }

  /** Reports a response that has the wrong shape: nothing else would. */
  function misshapen(call: string): UpstreamError {
    const error = new UpstreamError('shape', call);
    report({ call, reason: error.message, items: 1 });
    return error;
  }

  function bodyRenderer({ call }: CmsCall): RenderBody {
    return (body) => {
      const { reduced, ...rendered } = renderHtml(body ?? '', { imageHost, imagesServedBelow });
      if (reduced !== null) report({ call, reason: `body reduced: ${reduced}`, items: 1 });
      return rendered;
    };
  }

  /** Returns what makes our models of a list's items. */
  function modelsOf<C, M extends object>(schema: ZodType<C>, normalise: (item: C) => M | LeftOut) {
    return (items: readonly unknown[], { call }: CmsCall): M[] =>
      parseList(items, { call, schema, normalise, report });
  }

  const posts = modelsOf(schemas.cmsPost, (post) => normalisePost(post, imageOf));
  const events = modelsOf(schemas.cmsEvent, (event) => normaliseEvent(event, imageOf));

  function list<M>(call: CmsCall, models: (items: readonly unknown[], call: CmsCall) => M[]) {
    return async (options?: ReadOptions) => models(await ask(call, responses.listResponse, options), call);
  }

  /**
   * Returns the first item of a detail's list that can be shown; null when the list is empty or the upstream responds with
   * 404 or 410. Rejects where no item can be shown.
   */
  async function detail<C, M extends object>(
    call: CmsCall,
    shape: ZodType<readonly unknown[]>,
    schema: ZodType<C>,
    normalise: (item: C) => M | LeftOut,
    options?: ReadOptions,
  ): Promise<M | null> {
    const items = await ask(call, shape, options).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    if (items.length === 0) return null;
    for (const item of items.slice(0, MAX_DETAILS)) {
      const [model] = modelsOf(schema, normalise)([item], call);
      if (model !== undefined) return model;
    }
    throw misshapen(call.call);
  }

  return {
    async latestPost(options?: ReadOptions) {
      const call = cmsCalls.latestPost;
      const { newsData, quickByteData } = await ask(call, responses.latestPostResponse, options);
      return { news: posts(newsData, call), quickBytes: posts(quickByteData, call) };
    },
    async leadership(options?: ReadOptions) {
      const call = cmsCalls.leadership;
      const lists = await ask(call, responses.leadershipResponse, options);
      return {
        podcasts: posts(lists.podcastData, call),
        interviews: posts(lists.inteviewData, call),
        guestPosts: posts(lists.guestPostData, call),
      };
    },
    async featured(options?: ReadOptions) {
      const call = cmsCalls.featured;
      const { articleData, learningData } = await ask(call, responses.featuredResponse, options);
      return { articles: posts(articleData, call), learning: posts(learningData, call) };
    },
    homeLatest: list(cmsCalls.homeLatest, posts),
    homeLatestNews: list(cmsCalls.homeLatestNews, posts),
    homePopular: list(cmsCalls.homePopular, posts),
    homeInterview: list(cmsCalls.homeInterview, posts),
    homeQuickByte: list(cmsCalls.homeQuickByte, posts),
    homeArticle: list(cmsCalls.homeArticle, posts),
    homePodcast: list(cmsCalls.homePodcast, posts),
    latest: list(cmsCalls.latest, posts),
    categories: list(cmsCalls.categories, modelsOf(schemas.cmsCategory, normaliseCategory)),
    subcategories: list(cmsCalls.subcategories, modelsOf(schemas.cmsSubcategory, normaliseSubcategory)),
    advertisements: list(
      cmsCalls.advertisements,
      modelsOf(schemas.cmsAdvertisement, (ad) => normaliseAdvertisement(ad, imageOf)),
    ),
    async tag(subcategory: string, options?: ReadOptions) {
      const call = cmsCalls.tag(subcategory);
      const { posts: lists } = await ask(call, responses.tagResponse, options);
      return {
        news: posts(lists.news, call),
        featured: posts(lists.featured, call),
        quickBytes: posts(lists.quickbytes, call),
        podcasts: posts(lists.podcasts, call),
        interviews: posts(lists.interview, call),
        futureReady: posts(lists.futureready, call),
        guestAuthors: posts(lists.guestauthor, call),
        learningCenter: posts(lists.learningcenter, call),
      };
    },
    async topic(
      topic: { category: string; subcategory: string | null; page: number; limit: number },
      options?: ReadOptions,
    ): Promise<PostPage> {
      const call = cmsCalls.topic(topic);
      const { postData, pagination } = (await ask(call, responses.topicResponse, options)).posts;
      return { posts: posts(postData, call), ...pagination };
    },
    async asideTopic(category: string, options?: ReadOptions): Promise<PostSummary[]> {
      const call = cmsCalls.asideTopic(category);
      return posts(await ask(call, responses.resultResponse, options), call);
    },
    /** Null when the upstream has no such post. */
    postDetails(address: { category: string; slug: string }, options?: ReadOptions) {
      const call = cmsCalls.postDetails(address);
      const normalise = (post: schemas.CmsPost): PostDetails | LeftOut => {
        const article = normaliseArticle(post, address, imageOf, bodyRenderer(call));
        return isLeftOut(article) ? article : { article, authorId: slugOf(post.post_author_id) };
      };
      return detail(call, responses.resultResponse, schemas.cmsPost, normalise, options);
    },
    /** Null when the upstream has no such author. */
    author(id: string, options?: ReadOptions): Promise<Author | null> {
      const normalise = (author: schemas.CmsAuthor) => normaliseAuthor(author, imageOf);
      return detail(cmsCalls.author(id), responses.resultResponse, schemas.cmsAuthor, normalise, options);
    },
    async events(
      list: { tab: EventTab; page: number },
      options?: ReadOptions,
    ): Promise<{ events: EventSummary[]; totalPages: number }> {
      const call = cmsCalls.events(list);
      const { eventData, pagination } = (await ask(call, responses.eventsResponse, options)).responseData;
      return { events: events(eventData, call), totalPages: pagination.totalPages };
    },
    /** Null when the upstream has no such event. */
    event(slug: string, options?: ReadOptions): Promise<EventDetail | null> {
      const call = cmsCalls.event(slug);
      const normalise = (event: schemas.CmsEvent) =>
        normaliseEventDetail(event, slug, imageOf, bodyRenderer(call));
      return detail(call, responses.eventResponse, schemas.cmsEvent, normalise, options);
    },
    /** Strict about the specification's shape: `success` true, and a `postData` array. */
    async search(
      query: { category: string; term: string; page: number },
      options?: ReadOptions,
    ): Promise<PostPage> {
      const call = cmsCalls.search(query);
      const { postData, pagination } = (await ask(call, responses.searchResponse, options)).result;
      const found = posts(postData, call);
      return {
        posts: found,
        totalItems: pagination?.totalItems ?? found.length,
        totalPages: pagination?.totalPages ?? 1,
      };
    },
  };
}

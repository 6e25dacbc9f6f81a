import type { ZodType } from 'zod';
import type { Advertisement } from '#shared/models/advertisement.ts';
import type { Article, Author, Heading } from '#shared/models/article.ts';
import type { EventDetail, EventSummary } from '#shared/models/event.ts';
import type { EventTab } from '#shared/models/event-tabs.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { Category } from '#shared/models/topic.ts';
import type { CmsClient } from './client/cms-client.ts';
import { UpstreamError } from './client/upstream-error.ts';
import * as schemas from './cms-entity-schemas.ts';
import { type CmsCall, cmsCalls } from './cms-paths.ts';
import * as responses from './cms-response-schemas.ts';
import { normaliseAdvertisement } from './normalise/normalise-advertisement.ts';
import { normaliseArticle, type RenderBody } from './normalise/normalise-article.ts';
import { normaliseAuthor } from './normalise/normalise-author.ts';
import { normaliseCategory, normaliseSubcategory } from './normalise/normalise-category.ts';
import { normaliseEvent, normaliseEventDetail } from './normalise/normalise-event.ts';
import { createImageResolver, type ImageResolver } from './normalise/normalise-image.ts';
import { normalisePost } from './normalise/normalise-post.ts';
import { slugOf } from './normalise/normalise-text.ts';
import { type LeftOut, parseList, type ReportLeftOut } from './parse-list.ts';

/** `retry`: see `GetOptions` of the client. */
export interface ReadOptions {
  retry?: boolean;
}

/** Makes upstream HTML safe and finds its headings. `reduced`: why it could not be kept whole, for the log. */
export type RenderHtml = (
  html: string,
  options: { imageOf: ImageResolver },
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

/** The upstream's GET calls, which return our own models. Every method rejects with nothing but `UpstreamError`. */
export type CmsApi = ReturnType<typeof createCmsApi>;

/** Whether the upstream says that a detail does not exist: 404, or 410 for one that it has retracted (RFC 9110, 15.5.11). */
function isAbsent(error: unknown): boolean {
  return error instanceof UpstreamError && (error.status === 404 || error.status === 410);
}

/** Fetches upstream responses, checks them and normalises them. */
export function createCmsApi(options: CmsApiOptions) {
  const { client, renderHtml, imageHost, imagesServedBelow = null, report } = options;
  const imageOf = createImageResolver(imageHost, { servedBelow: imagesServedBelow });

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
      const { reduced, ...rendered } = renderHtml(body ?? '', { imageOf });
      if (reduced !== null) report({ call, reason: `body reduced: ${reduced}`, items: 1 });
      return rendered;
    };
  }

  /** Null where the upstream responds with 404 or 410. */
  async function askDetail<T>(call: CmsCall, shape: ZodType<T>, options?: ReadOptions): Promise<T | null> {
    try {
      return await ask(call, shape, options);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  function posts(items: readonly unknown[], { call }: CmsCall): PostSummary[] {
    const normalise = (post: schemas.CmsPost) => normalisePost(post, imageOf);
    return parseList(items, { call, schema: schemas.cmsPost, normalise, report });
  }

  function postList(call: CmsCall) {
    return async (options?: ReadOptions) => posts(await ask(call, responses.postListResponse, options), call);
  }

  /** Returns the first item of a detail's list; null when the list is empty. Rejects an item of the wrong shape. */
  function detail<C, M extends object>(
    items: readonly unknown[],
    { call }: CmsCall,
    schema: ZodType<C>,
    normalise: (item: C) => M | LeftOut,
  ): M | null {
    if (items.length === 0) return null;
    const [model] = parseList(items.slice(0, 1), { call, schema, normalise, report });
    if (model === undefined) throw misshapen(call);
    return model;
  }

  return {
    async latestPost(options?: ReadOptions) {
      const call = cmsCalls.latestPost;
      const { newsData, quickByteData } = await ask(call, responses.latestPostResponse, options);
      return { news: posts(newsData, call), quickBytes: posts(quickByteData, call) };
    },
    async leadership(options?: ReadOptions) {
      const call = cmsCalls.leadership;
      const { podcastData, inteviewData, guestPostData } = await ask(
        call,
        responses.leadershipResponse,
        options,
      );
      return {
        podcasts: posts(podcastData, call),
        interviews: posts(inteviewData, call),
        guestPosts: posts(guestPostData, call),
      };
    },
    async featured(options?: ReadOptions) {
      const call = cmsCalls.featured;
      const { articleData, learningData } = await ask(call, responses.featuredResponse, options);
      return { articles: posts(articleData, call), learning: posts(learningData, call) };
    },
    homeLatest: postList(cmsCalls.homeLatest),
    homeLatestNews: postList(cmsCalls.homeLatestNews),
    homePopular: postList(cmsCalls.homePopular),
    homeInterview: postList(cmsCalls.homeInterview),
    homeQuickByte: postList(cmsCalls.homeQuickByte),
    homeArticle: postList(cmsCalls.homeArticle),
    homePodcast: postList(cmsCalls.homePodcast),
    latest: postList(cmsCalls.latest),
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
      return posts((await ask(call, responses.resultResponse, options)).result, call);
    },
    /** Null when the upstream has no such post. */
    async postDetails(
      address: { category: string; slug: string },
      options?: ReadOptions,
    ): Promise<{ article: Article; authorId: string | null } | null> {
      const call = cmsCalls.postDetails(address);
      const response = await askDetail(call, responses.resultResponse, options);
      return detail(response?.result ?? [], call, schemas.cmsPost, (post) => {
        const article = normaliseArticle(post, address, imageOf, bodyRenderer(call));
        return 'leftOut' in article ? article : { article, authorId: slugOf(post.post_author_id) };
      });
    },
    /** Null when the upstream has no such author. */
    async author(id: string, options?: ReadOptions): Promise<Author | null> {
      const call = cmsCalls.author(id);
      const response = await askDetail(call, responses.resultResponse, options);
      return detail(response?.result ?? [], call, schemas.cmsAuthor, (author) =>
        normaliseAuthor(author, imageOf),
      );
    },
    async categories(options?: ReadOptions): Promise<Category[]> {
      const { call } = cmsCalls.categories;
      const items = await ask(cmsCalls.categories, responses.postListResponse, options);
      return parseList(items, { call, schema: schemas.cmsCategory, normalise: normaliseCategory, report });
    },
    async subcategories(options?: ReadOptions): Promise<Category[]> {
      const { call } = cmsCalls.subcategories;
      const items = await ask(cmsCalls.subcategories, responses.postListResponse, options);
      return parseList(items, {
        call,
        schema: schemas.cmsSubcategory,
        normalise: normaliseSubcategory,
        report,
      });
    },
    async advertisements(options?: ReadOptions): Promise<Advertisement[]> {
      const { call } = cmsCalls.advertisements;
      const items = await ask(cmsCalls.advertisements, responses.postListResponse, options);
      const normalise = (ad: schemas.CmsAdvertisement) => normaliseAdvertisement(ad, imageOf);
      return parseList(items, { call, schema: schemas.cmsAdvertisement, normalise, report });
    },
    async events(
      list: { tab: EventTab; page: number },
      options?: ReadOptions,
    ): Promise<{ events: EventSummary[]; totalPages: number }> {
      const call = cmsCalls.events(list);
      const { eventData, pagination } = (await ask(call, responses.eventsResponse, options)).responseData;
      const normalise = (event: schemas.CmsEvent) => normaliseEvent(event, imageOf);
      const events = parseList(eventData, { call: call.call, schema: schemas.cmsEvent, normalise, report });
      return { events, totalPages: pagination.totalPages };
    },
    /** Null when the upstream has no such event. */
    async event(slug: string, options?: ReadOptions): Promise<EventDetail | null> {
      const call = cmsCalls.event(slug);
      const response = await askDetail(call, responses.eventResponse, options);
      return detail(response?.eventData ?? [], call, schemas.cmsEvent, (event) =>
        normaliseEventDetail(event, slug, imageOf, bodyRenderer(call)),
      );
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

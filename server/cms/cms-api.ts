import { type ZodError, type ZodType, z } from 'zod';
import type { BodyLoss } from '#server/article-html/embeds.ts';
import { type BodyOptions, elementFor } from '#server/article-html/links.ts';
import type { ArticleBody } from '#server/article-html/render-article-html.ts';
import { embedOf } from '#shared/embed-providers.ts';
import type { Author } from '#shared/models/author.ts';
import type { EventDetail } from '#shared/models/event.ts';
import type { EventTab } from '#shared/models/event-tabs.ts';
import { articlePath, eventPath } from '#shared/urls.ts';
import type { CmsClient, GetOptions } from './client/cms-client.ts';
import { UpstreamError } from './client/upstream-error.ts';
import { type CmsCall, type CmsRead, cmsCalls, mapRecord } from './cms-calls.ts';
import { parseList, type ReportLeftOut, withPlainAmpersands } from './lenient-parsing.ts';
import { cmsAdvertisement, normaliseAdvertisement } from './normalise/normalise-advertisement.ts';
import { authorOfPost, type CmsAuthor, cmsAuthor, normaliseAuthor } from './normalise/normalise-author.ts';
import { cmsCategory, cmsSubcategory, normaliseCategory } from './normalise/normalise-category.ts';
import {
  type CmsEvent,
  cmsEvent,
  normaliseEvent,
  normaliseEventDetail,
} from './normalise/normalise-event.ts';
import { createImageResolver } from './normalise/normalise-image.ts';
import { normaliseLink, normaliseVideo } from './normalise/normalise-link.ts';
import {
  type CmsPost,
  cmsPost,
  deckOf,
  normaliseArticle,
  normalisePost,
} from './normalise/normalise-post.ts';
import { slugOf } from './normalise/normalise-text.ts';

export type ReadOptions = Pick<GetOptions<unknown>, 'retry' | 'comparison'>;

/** Makes the HTML of a body safe, and finds its headings. */
export type RenderHtml = (html: string, options: BodyOptions) => ArticleBody | Promise<ArticleBody>;

/** Options of the calls, and those that all bodies have in common. */
export interface CmsApiOptions extends Omit<BodyOptions, 'isSponsored' | 'page'> {
  client: Pick<CmsClient, 'get'>;
  renderHtml: RenderHtml;
  /** IANA name: of dates without a zone, and of what is shown. Default: UTC. */
  timeZone?: string;
  report: ReportLeftOut;
  /** Called once for each body of which something became a link or went. */
  onLosses?: (losses: readonly BodyLoss[]) => void;
  /** Called for each body that was not kept whole. */
  onReduced?: (reason: string) => void;
}

/**
 * The upstream's GET calls, one a method, which return our own models. Every method rejects with nothing but `UpstreamError`,
 * and `Unchanged` where bodies are compared.
 */
export type CmsApi = ReturnType<typeof createCmsApi>;

/** Items of a detail's list that are tried: each costs a report. */
const MAX_DETAILS = 10;

/** Returns the error of a response of another shape, with the first field and rule that it breaks. */
function misshapen(call: string, { issues: [issue] }: ZodError): UpstreamError {
  const field = issue?.path.join('.') || 'the response';
  return new UpstreamError('shape', call, { reason: `${field}: ${issue?.message ?? 'not valid'}` });
}

/** Returns null where the upstream says that it does not exist. Throws every other error. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof UpstreamError && error.kind === 'not-found') return null;
  throw error;
}

/** Returns the items of a list's page; none beyond the last page, for which some upstreams send the last one again. */
function itemsOf(items: unknown[], page: number, { totalPages }: { totalPages: number }): unknown[] {
  return page > Math.max(1, totalPages) ? [] : items;
}

/** Fetches upstream responses, checks them and normalises them. */
export function createCmsApi(options: CmsApiOptions) {
  const { client, renderHtml, imageHost, imagesServedBelow, publicOrigin, texts, timeZone, report } = options;
  const { onLosses, onReduced } = options;
  const imageOf = createImageResolver(imageHost, imagesServedBelow);

  function ask<T>(
    { call, path, response }: CmsRead<T>,
    options: ReadOptions & { isOptional?: true } = {},
  ): Promise<T> {
    const parse = (json: unknown): T => {
      const read = response.safeParse(json);
      if (!read.success) throw misshapen(call, read.error);
      return read.data;
    };
    return client.get(path, { call, parse, ...options });
  }

  async function renderBody(
    { call }: CmsCall,
    body: string | null,
    of: Pick<BodyOptions, 'isSponsored' | 'page'> = {},
  ) {
    const given = { imageHost, imagesServedBelow, publicOrigin, texts, ...of };
    const rendered = await Promise.resolve(renderHtml(body ?? '', given)).catch(() => {
      throw new UpstreamError('shape', call, { reason: 'the body could not be rendered' });
    });
    const { reduced, losses } = rendered;
    if (losses.length > 0) onLosses?.(losses);
    if (reduced !== null) {
      report({ call, reason: `body reduced: ${reduced}`, items: 1 });
      onReduced?.(reduced);
    }
    return rendered;
  }

  /**
   * Renders the podcast of a post or event that has no video for the player: an embed, a recording, or a link. Empty where
   * the body has it already.
   */
  async function renderPodcast(call: CmsCall, link: string | null, body: string | null): Promise<string> {
    const url = normaliseVideo(link) === null ? normaliseLink(link) : null;
    const written = body && withPlainAmpersands(body);
    if (url === null || written?.includes(embedOf(url)?.id ?? url)) return '';
    const address = url.replaceAll('&', '&amp;');
    const element = elementFor(url);
    const isPlayed = element === 'audio' || element === 'video';
    const shown = isPlayed ? `<${element} src="${address}"></${element}>` : `<p>${address}</p>`;
    return (await renderBody(call, shown)).html;
  }

  function modelsOf<C, M>(schema: ZodType<C>, normalise: (item: C) => M) {
    return (items: readonly unknown[], { call }: CmsCall): M[] =>
      parseList(items, schema, normalise, (left) => report({ call, ...left }));
  }

  const posts = modelsOf(cmsPost, (post) => normalisePost(post, imageOf, timeZone));
  const events = modelsOf(cmsEvent, (event) => normaliseEvent(event, imageOf, timeZone));

  function list<M>(call: CmsRead<unknown[]>, models: (items: readonly unknown[], call: CmsCall) => M[]) {
    return async (options?: ReadOptions) => models(await ask(call, options), call);
  }

  function lists<Name extends string>(call: CmsRead<Record<Name, unknown[]>>) {
    return async (options?: ReadOptions) =>
      mapRecord(await ask(call, options), (items) => posts(items, call));
  }

  /** Returns the first item of a detail's list that can be shown; null for none at all. Rejects where none can be shown. */
  async function detail<C, M>(
    { call, path, response }: CmsRead<readonly unknown[]>,
    schema: ZodType<C>,
    normalise: (item: C) => M,
    options: ReadOptions = {},
  ): Promise<M | null> {
    const modelOf = modelsOf(schema, normalise);
    const first = response.transform((items, context): M | null => {
      if (items.length === 0) return null;
      for (const item of items.slice(0, MAX_DETAILS)) {
        const [model] = modelOf([item], { call, path });
        if (model !== undefined) return model;
      }
      context.addIssue('no item is valid');
      return z.NEVER;
    });
    return await ask({ call, path, response: first }, options).catch(nullIfNotFound);
  }

  return {
    latestPost: lists(cmsCalls.latestPost),
    leadership: lists(cmsCalls.leadership),
    featured: lists(cmsCalls.featured),
    homeLatest: list(cmsCalls.homeLatest, posts),
    homeLatestNews: list(cmsCalls.homeLatestNews, posts),
    homePopular: list(cmsCalls.homePopular, posts),
    homeInterview: list(cmsCalls.homeInterview, posts),
    homeQuickByte: list(cmsCalls.homeQuickByte, posts),
    homeArticle: list(cmsCalls.homeArticle, posts),
    homePodcast: list(cmsCalls.homePodcast, posts),
    latest: list(cmsCalls.latest, posts),
    categories: list(cmsCalls.categories, modelsOf(cmsCategory, normaliseCategory)),
    subcategories: list(cmsCalls.subcategories, modelsOf(cmsSubcategory, normaliseCategory)),
    advertisements: list(
      cmsCalls.advertisements,
      modelsOf(cmsAdvertisement, (ad) => normaliseAdvertisement(ad, imageOf)),
    ),
    tag: (subcategory: string, options?: ReadOptions) => lists(cmsCalls.tag(subcategory))(options),
    async topic(topic: Parameters<typeof cmsCalls.topic>[0], options?: ReadOptions) {
      const call = cmsCalls.topic(topic);
      const { postData, pagination } = (await ask(call, options)).posts;
      return { posts: posts(itemsOf(postData, topic.page, pagination), call), ...pagination };
    },
    asideTopic: (category: string, options?: ReadOptions) =>
      list(cmsCalls.asideTopic(category), posts)(options),
    async postDetails(address: { category: string; slug: string }, options?: ReadOptions) {
      const call = cmsCalls.postDetails(address);
      const normalise = (post: CmsPost) => ({
        article: normaliseArticle(post, address, imageOf, timeZone),
        post,
      });
      const found = await detail(call, cmsPost, normalise, options);
      if (found === null) return null;
      const { article, post } = found;
      const body = await renderBody(call, post.post_content, {
        isSponsored: article.sponsor !== undefined,
        page: articlePath(article),
      });
      const deck = deckOf(article.description, body.beginning);
      const podcast = await renderPodcast(call, post.podcast_link, post.post_content);
      return {
        article: { ...article, deck, bodyHtml: podcast + body.html, headings: body.headings },
        authorId: slugOf(post.post_author_id),
      };
    },
    author(id: string, options?: ReadOptions): Promise<Author | null> {
      const normalise = (author: CmsAuthor) => normaliseAuthor(author, imageOf);
      return detail(cmsCalls.author(id), cmsAuthor, normalise, options);
    },
    /** Null when the upstream has no such call, or no such page of an author's posts. */
    async authorPosts(author: { id: string; page: number }, options?: ReadOptions) {
      const call = cmsCalls.authorPosts(author);
      const response = await ask(call, { ...options, isOptional: true }).catch(nullIfNotFound);
      if (response === null) return null;
      const { pagination } = response.posts;
      const postData = itemsOf(response.posts.postData, author.page, pagination);
      if (postData.length === 0) return null;
      const given = postData.flatMap((post) => cmsPost.safeParse(post).data ?? []);
      const [named = null] = given.flatMap((post) => authorOfPost(post) ?? []);
      return { posts: posts(postData, call), ...pagination, author: named };
    },
    async events(list: { tab: EventTab; page: number }, options?: ReadOptions) {
      const call = cmsCalls.events(list);
      const { eventData, pagination } = (await ask(call, options)).responseData;
      return {
        events: events(itemsOf(eventData, list.page, pagination), call),
        totalPages: pagination.totalPages,
      };
    },
    async event(slug: string, options?: ReadOptions): Promise<EventDetail | null> {
      const call = cmsCalls.event(slug);
      const normalise = (given: CmsEvent) => ({
        event: normaliseEventDetail(given, slug, imageOf, timeZone),
        given,
      });
      const found = await detail(call, cmsEvent, normalise, options);
      if (found === null) return null;
      const { event_desc: body, podcast_link: link } = found.given;
      const podcast = await renderPodcast(call, link, body);
      return {
        ...found.event,
        descriptionHtml: podcast + (await renderBody(call, body, { page: eventPath(slug) })).html,
      };
    },
    /** Strict about the specification's shape: `success` true, and a `postData` array. */
    async search(query: { category: string; term: string; page: number }, options?: ReadOptions) {
      const call = cmsCalls.search(query);
      const { postData, pagination } = (await ask(call, options)).result;
      const found = posts(postData, call);
      return {
        posts: found,
        totalItems: pagination?.totalItems ?? found.length,
        totalPages: pagination?.totalPages ?? 1,
      };
    },
  };
}

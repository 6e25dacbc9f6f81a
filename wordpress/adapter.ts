import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { z } from 'zod';
import { type ContentReader, createContentReader } from './content-reader.ts';
import { createEvents } from './events.ts';
import { MEDIA_PATH, pictureRoutes } from './pictures.ts';
import { createRestClient, WordpressFailed } from './rest-client.ts';
import { NEWS } from './sections.ts';
import { openStore, type Store } from './store.ts';
import { submissionRoutes } from './submissions.ts';

export interface AdapterOptions {
  /** WORDPRESS_URL, without a slash at its end. */
  wordpressUrl: string;
  /** WORDPRESS_SECTIONS; empty for the usual names. */
  sections: string;
  /** SUBMISSIONS_URL; null keeps what readers send in `dataDir`. */
  submissionsUrl: string | null;
  /** Value of the `Authorization` header towards the WordPress. */
  authorization: string | null;
  dataDir: string;
  optOutPath: string;
  /** Of one request to the WordPress, in milliseconds. */
  timeoutMs: number;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Whether it starts where the WordPress does not respond for now: there is something to show meanwhile. */
  mayBeAway: boolean;
  /** Called with a line when the WordPress fails in another way than before. */
  warn: (line: string) => void;
}

/** An adapter that listens. */
export interface RunningAdapter {
  /** Base URLs of the upstream API and of the pictures. */
  origin: string;
  imageHost: string;
  close(): Promise<void>;
}

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;
type BuildValidator = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildValidator']>;

/** No route has a schema. The cast is needed because Fastify's types only know ajv's validators. */
const schemaController: SchemaController = {
  compilersFactory: {
    buildValidator: (() => () => () => true) as unknown as BuildValidator,
    buildSerializer: () => () => JSON.stringify,
  },
};
const MAX_PARAM_LENGTH = 4096;

/**
 * Starts the upstream API of the specification, section 7, in front of a WordPress. Rejects with one line where that cannot
 * work. A WordPress that is away for now is asked again with each call: readers have older copies meanwhile.
 */
export async function startAdapter(options: AdapterOptions): Promise<RunningAdapter> {
  const {
    wordpressUrl,
    sections,
    submissionsUrl,
    authorization,
    dataDir,
    optOutPath,
    timeoutMs,
    mayBeAway,
    warn,
  } = options;
  const store = openStore(dataDir);
  const client = createRestClient(authorization, timeoutMs);
  const content = createContentReader(wordpressUrl, client, sections);
  const app: FastifyInstance = Fastify({
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    forceCloseConnections: true,
    schemaController,
  });
  app.addHook('onClose', async () => {
    await client.close();
    store.close();
  });
  const named = (error: unknown) =>
    `WordPress at ${wordpressUrl}: ${error instanceof Error ? error.message : String(error)}`;
  let last = '';
  function report(error: unknown): string {
    if (named(error) !== last) warn(named(error));
    last = named(error);
    return last;
  }
  app.setErrorHandler((error, _request, reply) => reply.code(502).send({ message: report(error) }));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'There is no such call.' }));
  for (const [path, call] of Object.entries(
    callsOf(content, createEvents(client, content.discovered), store),
  ))
    app.get(path, async ({ params, query }) => {
      const body = await call(Parameters.parse(Object.assign({}, query, params)));
      last = '';
      return body;
    });
  pictureRoutes(app, content.discovered, authorization);
  submissionRoutes(app, { store, url: submissionsUrl, optOutPath });
  try {
    await content.discovered().catch((error: unknown) => {
      if (!mayBeAway || !(error instanceof WordpressFailed) || !error.isTemporary)
        throw new Error(named(error));
      report(error);
    });
    const origin = await app.listen({ host: options.host, port: options.port });
    return { origin, imageHost: origin + MEDIA_PATH, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** One length for all lists: those of the same posts share a request. */
const LIST = 8;
const TAG_LIST = 12;
const SEARCH_PAGE = 20;
const AUTHOR_PAGE = 10;

/** Of an author; others are no calls. */
const ID = ':id(^[1-9]\\d{0,9}$)';

/** What a call has in its path and query. */
const Parameters = z.object({
  section: z.string().default(''),
  subcategory: z.string().default(''),
  slug: z.string().default(''),
  term: z.string().default(''),
  id: z.coerce.number().default(0),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  limit: z.coerce.number().int().min(1).max(100).catch(10),
});
type Call = (parameters: z.infer<typeof Parameters>) => Promise<unknown>;

/** The calls that read, by their path. */
function callsOf(
  content: ContentReader,
  events: ReturnType<typeof createEvents>,
  store: Store,
): Record<string, Call> {
  const newest = (...sections: string[]) => content.newest(LIST, ...sections);
  const postData = ({ posts, ...pagination }: Awaited<ReturnType<ContentReader['section']>>) => ({
    postData: posts,
    pagination,
  });
  return {
    '/api/post/latestPost': async () =>
      byName({ newsData: newest(NEWS), quickByteData: newest('quickbytes') }),
    '/api/post/leadership': async () =>
      byName({
        podcastData: newest('podcasts'),
        inteviewData: newest('interview'),
        guestPostData: newest('guest-author'),
      }),
    '/api/post/featured': async () =>
      byName({ articleData: newest('featured'), learningData: newest('learning-center') }),
    '/api/post/homelatest': async () => newest(),
    '/api/post/homelatestnews': async () => newest(),
    '/api/post/latest': async () => newest(),
    '/api/post/homeinterview': async () => newest('interview', 'guest-author'),
    '/api/post/homequickbyte': async () => newest('quickbytes'),
    '/api/post/homearticle': async () => newest('featured'),
    '/api/post/homepodcast': async () => newest('podcasts'),
    async '/api/post/homepopular'() {
      const ids = store.popular(LIST);
      const [viewed, latest] = await Promise.all([content.byIds(ids), content.newest(2 * LIST)]);
      return [...viewed, ...latest.filter(({ id }) => !ids.includes(id))].slice(0, LIST);
    },
    async '/api/post/tag/:subcategory'({ subcategory }) {
      const bySection = await content.bySection(subcategory, TAG_LIST);
      const lists = Object.entries(TAG_SECTIONS).map(([name, section]) => [
        name,
        bySection.get(section) ?? [],
      ]);
      return { posts: Object.fromEntries(lists) };
    },
    '/api/post/topic/:section': async ({ section, page, limit }) => ({
      posts: postData(await content.section(section, page, limit)),
    }),
    '/api/post/topic/:section/:subcategory': async ({ section, subcategory, page, limit }) => ({
      posts: postData(await content.within(section, subcategory, page, limit)),
    }),
    '/api/post/asidetopic/:section': async ({ section }) => ({ result: await newest(section) }),
    '/api/post/postdetails/:section/:slug': async ({ section, slug }) => ({
      result: listOf(await content.post(section, slug)),
    }),
    '/api/post/search/:section/:term': async ({ section, term, page }) => ({
      success: true,
      result: postData(await content.section(section, page, SEARCH_PAGE, term)),
    }),
    [`/api/post/author/${ID}`]: async ({ id, page }) => ({
      posts: postData(await content.byAuthor(id, page, AUTHOR_PAGE)),
    }),
    [`/api/author/${ID}`]: async ({ id }) => ({ result: listOf(await content.author(id)) }),
    '/api/category/all': async () =>
      (await content.terms()).sections.all.map(({ slug, name }) => ({ cat_slug: slug, cat_name: name })),
    '/api/category/subcatlist': async () =>
      (await content.subcategories()).map(({ id, slug, name }) => ({
        id,
        subcat_slug: slug,
        subcat_name: name,
      })),
    '/api/advertisement/get_active': async () => [],
    '/api/event/totalevents': async ({ page }) => ({ responseData: await events.page(null, page) }),
    '/api/event/upcoming_events': async ({ page }) => ({ responseData: await events.page(false, page) }),
    '/api/event/past_events': async ({ page }) => ({ responseData: await events.page(true, page) }),
    '/api/event/eventdetails/:slug': async ({ slug }) => ({ eventData: await events.find(slug) }),
  };
}

/** The sections of a tag page by the names of its lists. */
const TAG_SECTIONS = {
  news: NEWS,
  featured: 'featured',
  quickbytes: 'quickbytes',
  podcasts: 'podcasts',
  interview: 'interview',
  futureready: 'future-ready',
  guestauthor: 'guest-author',
  learningcenter: 'learning-center',
};

async function byName(lists: Readonly<Record<string, Promise<unknown>>>): Promise<object> {
  const entries = Object.entries(lists).map(async ([name, list]) => [name, await list]);
  return Object.fromEntries(await Promise.all(entries));
}

function listOf<T>(item: T | null): T[] {
  return item === null ? [] : [item];
}

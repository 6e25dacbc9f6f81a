import Fastify from 'fastify';
import { z } from 'zod';
import { type ContentReader, createContentReader } from './content-reader.ts';
import { createEvents } from './events.ts';
import { MEDIA_PATH, pictureRoutes } from './pictures.ts';
import { createRestClient, WordpressFailed } from './rest-client.ts';
import { NEWS } from './sections.ts';
import { openStore } from './submission-and-view-store.ts';
import { submissionRoutes } from './submission-routes.ts';

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
  /** Called with a line when the WordPress fails in another way than before, and when items of a list are left out. */
  warn: (line: string) => void;
}

/** An adapter that listens. */
export interface RunningAdapter {
  /** Base URLs of the upstream API and of the pictures. */
  origin: string;
  imageHost: string;
  close(): Promise<void>;
}

/** Of paths and search terms in other scripts, whose letters are encoded. */
const MAX_PARAM_LENGTH = 4096;

/**
 * Starts the upstream API of the specification, section 7, in front of a WordPress. Rejects with one line where that cannot
 * work. A WordPress that is away for now stops no start, and is asked again with each call.
 */
export async function startAdapter(options: AdapterOptions): Promise<RunningAdapter> {
  const { wordpressUrl, authorization, host, port, warn } = options;
  const store = openStore(options.dataDir, Date.now);
  const client = createRestClient(authorization, options.timeoutMs, warn);
  const content = createContentReader(wordpressUrl, client, options.sections);
  const { discovered } = content;
  const events = createEvents(client, content);
  const app = Fastify({
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    forceCloseConnections: true,
  });
  app.addHook('onClose', async () => {
    await client.close();
    store.close();
  });
  function lineOf(error: unknown): string {
    const who =
      error instanceof WordpressFailed ? `WordPress at ${wordpressUrl}` : 'the adapter for WordPress';
    return `${who}: ${error instanceof Error ? error.message : String(error)}`;
  }
  let last = '';
  function report(error: unknown): string {
    const line = lineOf(error);
    if (line !== last) warn(line);
    last = line;
    return line;
  }
  /** No reason to stop: the WordPress may get them later. */
  function reportUnknown(categories: readonly string[]): void {
    if (categories.length > 0)
      warn(`WORDPRESS_SECTIONS: ${categories.join(', ')} given, slugs of categories expected`);
  }
  app.setErrorHandler((error, _request, reply) => reply.code(502).send({ message: report(error) }));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'There is no such call.' }));
  for (const [path, call] of Object.entries(callsOf(content, events, store.popular)))
    app.get(`/api/${path}`, async ({ params, query }) => {
      const body = await call(Parameters.parse(Object.assign({}, query, params)));
      last = '';
      return body;
    });
  pictureRoutes(app, discovered, authorization);
  submissionRoutes(app, store, options.submissionsUrl, options.optOutPath);
  try {
    await discovered().catch((error: unknown) => {
      if (!(error instanceof WordpressFailed) || !error.isTemporary) throw new Error(lineOf(error));
      report(error);
    });
    const origin = await app.listen({ host, port });
    if (options.sections !== '')
      content.terms().then(({ sections }) => reportUnknown(sections.unknown), report);
    return { origin, imageHost: origin + MEDIA_PATH, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}

const LIST = 8;
/** Stories that the home page has at its top. */
const HOME_TOP = 3;
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

/** Sections of the lists of a tag page. */
const TAG_LISTS = {
  news: NEWS,
  featured: 'featured',
  quickbytes: 'quickbytes',
  podcasts: 'podcasts',
  interview: 'interview',
  futureready: 'future-ready',
  guestauthor: 'guest-author',
  learningcenter: 'learning-center',
};

/** The calls that read, by their path below `/api/`. */
function callsOf(
  content: ContentReader,
  events: ReturnType<typeof createEvents>,
  popular: (count: number) => number[],
): Record<string, Call> {
  // All lists ask for as many as the longest one: those of the same posts share a request.
  const asked = (...sections: string[]) => content.newest(HOME_TOP + LIST, sections);
  const newest = async (...sections: string[]) => (await asked(...sections)).slice(0, LIST);
  const latest = () => newest();
  return {
    'post/homelatest': latest,
    // Beside the stories of the home page's top.
    'post/homelatestnews': async () => (await asked()).slice(HOME_TOP),
    'post/latest': latest,
    'post/homeinterview': () => newest('interview', 'guest-author'),
    'post/homequickbyte': () => newest('quickbytes'),
    'post/homearticle': () => newest('featured'),
    'post/homepodcast': () => newest('podcasts'),
    'post/latestPost': () => byName({ newsData: NEWS, quickByteData: 'quickbytes' }, newest),
    'post/leadership': () =>
      byName({ podcastData: 'podcasts', inteviewData: 'interview', guestPostData: 'guest-author' }, newest),
    'post/featured': () => byName({ articleData: 'featured', learningData: 'learning-center' }, newest),
    async 'post/homepopular'() {
      const ids = popular(LIST);
      const [viewed, others] = await Promise.all([content.byIds(ids), latest()]);
      return [...viewed, ...others.filter(({ id }) => !ids.includes(id))].slice(0, LIST);
    },
    async 'post/tag/:subcategory'({ subcategory }) {
      const pageOf = await content.within(subcategory);
      return {
        posts: await byName(TAG_LISTS, async (section) => (await pageOf(section, 1, TAG_LIST)).postData),
      };
    },
    'post/topic/:section': async ({ section, page, limit }) => ({
      posts: await content.section(section, page, limit),
    }),
    'post/topic/:section/:subcategory': async ({ section, subcategory, page, limit }) => ({
      posts: await (await content.within(subcategory))(section, page, limit),
    }),
    'post/asidetopic/:section': async ({ section }) => ({ result: await newest(section) }),
    'post/postdetails/:section/:slug': async ({ slug }) => ({ result: await content.post(slug) }),
    'post/search/:section/:term': async ({ section, term, page }) => ({
      success: true,
      result: await content.section(section, page, SEARCH_PAGE, term),
    }),
    [`post/author/${ID}`]: async ({ id, page }) => ({ posts: await content.byAuthor(id, page, AUTHOR_PAGE) }),
    [`author/${ID}`]: async ({ id }) => ({ result: await content.author(id) }),
    'category/all': async () =>
      (await content.terms()).sections.all.map(({ slug, name }) => ({ cat_slug: slug, cat_name: name })),
    'category/subcatlist': content.subcategories,
    'advertisement/get_active': async () => [],
    'event/totalevents': async ({ page }) => ({ responseData: await events.page(null, page) }),
    'event/upcoming_events': async ({ page }) => ({ responseData: await events.page(false, page) }),
    'event/past_events': async ({ page }) => ({ responseData: await events.page(true, page) }),
    'event/eventdetails/:slug': async ({ slug }) => ({ eventData: await events.find(slug) }),
  };
}

async function byName(
  sections: Readonly<Record<string, string>>,
  load: (section: string) => Promise<unknown>,
): Promise<object> {
  const entries = Object.entries(sections).map(async ([name, section]) => [name, await load(section)]);
  return Object.fromEntries(await Promise.all(entries));
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Reading } from '#server/cache/reading.ts';
import { subject } from '#server/content/subject.ts';
import type { UpstreamAnswers } from '#server/content/upstream-answers.ts';
import { rss } from '#server/feeds/rss.ts';
import { openSearch, robots, securityText, webManifest } from '#server/feeds/site-files.ts';
import { newsSitemap, sitemap } from '#server/feeds/sitemaps.ts';
import type { AnswerCache } from '#server/render/answer-cache.ts';
import { finishAnswer } from '#server/render/finished-answer.ts';
import type { AnswerExtra } from '#server/render/pages.ts';
import type { SendAnswer } from '#server/render/send-answer.ts';
import type { PostSummary } from '#shared/models/post.ts';
import { site } from '#shared/site.ts';
import { topicPath } from '#shared/urls.ts';

const RSS_TYPE = 'application/rss+xml; charset=utf-8';
const XML_TYPE = 'application/xml; charset=utf-8';

/** Pages that stand whatever the upstream holds. */
const FIXED_PAGES = ['/', '/events', '/about', '/contact-us', '/privacy-policy', '/opt-out-form', '/sitemap'];

export interface FeedRoutesDeps {
  answers: Pick<AnswerCache<AnswerExtra>, 'get'>;
  upstream: UpstreamAnswers;
  cache: ContentCache;
  sendAnswer: SendAnswer;
  origin: string;
  /** Wall-clock milliseconds. */
  now: () => number;
}

/** What programs read: feeds, sitemaps and the site's description files. */
export function feedRoutes(app: FastifyInstance, deps: FeedRoutesDeps): void {
  const { answers, upstream, cache, sendAnswer, origin, now } = deps;

  /** A text made of upstream data, kept like a page. */
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    type: string,
    make: (reading: Reading) => Promise<string>,
  ) {
    const path = request.url.split('?', 1)[0] ?? '/';
    const served = await answers.get(`feed ${path}`, async (reading) => {
      const text = await make(reading);
      return { kind: 'answer', answer: await finishAnswer(200, type, text), extra: { viewOf: null } };
    });
    if (served.kind === 'redirect') throw new Error('a feed has no redirect');
    return sendAnswer(request, reply, served, 'data');
  }

  /** A list that cannot be had is left out; the text is then made anew soon. */
  async function listOr<T>(reading: Reading, answer: Promise<T>, standIn: T): Promise<T> {
    try {
      return await answer;
    } catch {
      reading.missed();
      return standIn;
    }
  }

  /** The newest posts of every category. */
  async function newestPosts(reading: Reading): Promise<PostSummary[]> {
    const categories = await listOr(reading, cache.read(upstream.categories(), reading), []);
    const lists = await Promise.all(
      categories.map(({ slug }) => {
        const topic = upstream.topic({ category: slug, subcategory: null, page: 1, limit: 10 });
        return listOr(reading, cache.read(topic, reading), { posts: [], totalItems: 0, totalPages: 0 });
      }),
    );
    return lists.flatMap(({ posts }) => posts);
  }

  app.get('/feed.xml', (request, reply) =>
    send(request, reply, RSS_TYPE, async (reading) => {
      const posts = await subject(cache.read(upstream.latest(), reading));
      return rss({ title: site.name, path: '/', self: '/feed.xml', posts }, origin);
    }),
  );

  app.get('/topic/:category/feed.xml', (request, reply) => {
    const { category } = z.object({ category: z.string() }).parse(request.params);
    return send(request, reply, RSS_TYPE, async (reading) => {
      const topic = upstream.topic({ category, subcategory: null, page: 1, limit: 10 });
      const { posts } = await subject(cache.read(topic, reading));
      const path = topicPath(category);
      return rss({ title: `${site.name}: ${category}`, path, self: `${path}/feed.xml`, posts }, origin);
    });
  });

  app.get('/sitemap.xml', (request, reply) =>
    send(request, reply, XML_TYPE, async (reading) => {
      const [topics, tags, events, posts] = await Promise.all([
        listOr(reading, cache.read(upstream.categories(), reading), []),
        listOr(reading, cache.read(upstream.subcategories(), reading), []),
        listOr(reading, cache.read(upstream.events({ tab: 'all', page: 1 }), reading), {
          events: [],
          totalPages: 0,
        }),
        newestPosts(reading),
      ]);
      return sitemap({ pages: FIXED_PAGES, topics, tags, events: events.events, posts }, origin);
    }),
  );

  app.get('/news-sitemap.xml', (request, reply) =>
    send(request, reply, XML_TYPE, async (reading) => newsSitemap(await newestPosts(reading), origin, now())),
  );

  app.get('/.well-known/security.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(securityText(origin, now())),
  );

  const files = [
    { path: '/robots.txt', type: 'text/plain; charset=utf-8', text: robots(origin) },
    {
      path: '/opensearch.xml',
      type: 'application/opensearchdescription+xml; charset=utf-8',
      text: openSearch(origin),
    },
    { path: '/manifest.webmanifest', type: 'application/manifest+json; charset=utf-8', text: webManifest() },
  ];
  for (const { path, type, text } of files) {
    app.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=3600').send(text),
    );
  }
}

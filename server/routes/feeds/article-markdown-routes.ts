import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Config } from '#server/config.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { primaryResource } from '#server/content/primary-resource.ts';
import { rejectImpossibleSlugs } from '#server/content/slug-filter.ts';
import { articleMarkdown } from '#server/feeds/article-markdown.ts';
import type { CachedRoute } from '#server/http/cached-routes.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import { SiteError } from '#shared/site-error.ts';
import { articlePath, decodeDots } from '#shared/urls.ts';
import { createSendPage, type PageRoutesOptions } from '../page-routes.ts';
import { createSendFeed, type SendFeedDeps } from './send-feed.ts';

const ARTICLE_ROUTE = '/:category/:slug';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

export interface ArticleMarkdownOptions extends PageRoutesOptions, SendFeedDeps {
  config: Pick<Config, 'publicOrigin'>;
  queries: CacheQueries;
  cache: Pick<ContentCache, 'read'>;
  pageTemplates: Pick<PageTemplates, 'templateOf'>;
}

/**
 * The Markdown alternate of each article, at the article's path with `.md` appended. No view is counted. An article
 * whose own slug ends in `.md` keeps its page: where there is no Markdown alternate, the page is sent.
 */
export async function articleMarkdownRoutes(
  app: FastifyInstance,
  options: ArticleMarkdownOptions,
): Promise<void> {
  const { config, queries, cache, pageTemplates } = options;
  const sendFeed = createSendFeed(options);
  const sendPage = createSendPage(options);
  const Address = z.object({
    category: z.string().transform(decodeDots),
    slug: z.string().min(1).transform(decodeDots),
  });

  /** Returns null for `/tag/x.md` and the like: the first words of other pages are not categories. */
  function addressOf(params: unknown) {
    const { data } = Address.safeParse(params);
    if (!data) return null;
    const path = articlePath(data);
    return pageTemplates.templateOf(path) === ARTICLE_ROUTE ? { ...data, path: `${path}.md` } : null;
  }

  const cached: CachedRoute = { kind: 'feed', targetOf: (params) => addressOf(params)?.path ?? null };
  app.get('/:category/:slug.md', { config: { cached } }, async (request, reply) => {
    const address = addressOf(request.params);
    if (address === null) return sendPage(request, reply);
    try {
      return await sendFeed(request, reply, address.path, MARKDOWN_TYPE, async (tracker) => {
        rejectImpossibleSlugs(address.category, address.slug);
        const { article } = await primaryResource(cache.read(queries.article(address), tracker), {
          goTo404: ({ status }) => status === 501,
        });
        return articleMarkdown(article, config.publicOrigin);
      });
    } catch (error) {
      const isMissing = error instanceof SiteError && (error.kind === 'not-found' || error.goTo === '/404');
      if (!isMissing) throw error;
      return sendPage(request, reply);
    }
  });
}

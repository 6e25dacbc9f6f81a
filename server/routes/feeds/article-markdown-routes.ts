import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Config } from '#server/config.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { primaryResource } from '#server/content/primary-resource.ts';
import { rejectImpossibleSlugs } from '#server/content/slug-filter.ts';
import { articleMarkdown } from '#server/feeds/article-markdown.ts';
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

  app.get('/:category/:slug.md', async (request, reply) => {
    const params = Address.safeParse(request.params);
    if (!params.success) return sendPage(request, reply);
    const address = params.data;
    const path = articlePath(address);
    // `/tag/x.md` and the like: the first words of other pages are not categories.
    if (pageTemplates.templateOf(path) !== ARTICLE_ROUTE) return sendPage(request, reply);
    try {
      return await sendFeed(request, reply, `${path}.md`, MARKDOWN_TYPE, async (tracker) => {
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

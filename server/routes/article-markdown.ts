import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { primaryResource } from '#server/content/primary-resource.ts';
import { rejectImpossibleSlugs } from '#server/content/slug-filter.ts';
import { articleMarkdown } from '#server/feeds/article-markdown.ts';
import { routeLabel } from '#server/ops/metrics/route-label.ts';
import { SiteError } from '#shared/site-error.ts';
import { articlePath, decodeDots } from '#shared/urls.ts';
import type { SendPage } from './pages.ts';
import { createSendFeed, type SendFeedDeps } from './send-feed.ts';

const ARTICLE_ROUTE = '/:category/:slug';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

export interface ArticleMarkdownDeps extends SendFeedDeps {
  upstream: CacheQueries;
  cache: ContentCache;
  origin: string;
  sendPage: SendPage;
}

/**
 * Each article as Markdown, at its address with `.md` at the end. No view is counted. An article whose own slug ends
 * so keeps its page: where there is no twin, the page routes answer.
 */
export function articleMarkdownRoutes(app: FastifyInstance, deps: ArticleMarkdownDeps): void {
  const { upstream, cache, origin, sendPage } = deps;
  const send = createSendFeed(deps);
  const Address = z.object({
    category: z.string().transform(decodeDots),
    slug: z.string().min(1).transform(decodeDots),
  });

  app.get('/:category/:slug.md', async (request, reply) => {
    const address = Address.parse(request.params);
    const path = articlePath(address);
    // The page table's own words are no categories, in no case of theirs.
    if (routeLabel(path.toLowerCase()) !== ARTICLE_ROUTE) return sendPage(request, reply);
    try {
      return await send(request, reply, `${path}.md`, MARKDOWN_TYPE, async (tracker) => {
        rejectImpossibleSlugs(address.category, address.slug);
        const { article } = await primaryResource(cache.read(upstream.article(address), tracker), {
          goTo404: ({ status }) => status === 501,
        });
        return articleMarkdown(article, origin);
      });
    } catch (error) {
      const isMissing = error instanceof SiteError && (error.kind === 'not-found' || error.goTo === '/404');
      if (!isMissing) throw error;
      return sendPage(request, reply);
    }
  });
}

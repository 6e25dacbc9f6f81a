import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import type { Config } from '#server/config/config.ts';
import type { PageSource } from '#server/render/page-source.ts';
import { openSite, type Site } from './site.ts';
import { readTokens } from './theme.ts';

/** Returns the source of the pages with the settings and pages of the site folder. */
export function withSiteFolder(
  source: PageSource,
  site: Pick<Site, 'folder'>,
): Pick<PageSource, 'bundle'> & { headTags: () => string } {
  return {
    headTags: () => site.folder()?.head ?? source.headTags,
    async bundle() {
      const built = await source.bundle();
      const folder = site.folder();
      if (folder === null) return built;
      const { settings, module, head, pages } = folder;
      return {
        ...built,
        canonicalUrl: (target) => built.canonicalUrl(target, new Set(pages.keys())),
        loadPage: (input) => built.loadPage({ ...input, site: { settings, module, head } }),
      };
    },
  };
}

export interface PublisherSiteOptions {
  config: Pick<Config, 'siteDir' | 'siteNoIndex' | 'publicOrigin'>;
  /** The project's folder. */
  root: string;
  logger: Logger;
  source: Pick<PageSource, 'bundle' | 'headTags' | 'styles'>;
}

/** Addresses that are no pages of the table: a page of their name would never be shown. */
const OTHER_ROUTES = ['404', 'healthz', 'readyz', 'search'];

/** Built-in pages without a form and without data, which a page of the publisher's own may replace. */
const REPLACEABLE = ['about', 'privacy-policy', 'sitemap'];

/** Opens the site with the folder of the configuration. Rejects with a `SiteFolderError`. */
export async function openPublisherSite({
  config,
  root,
  logger,
  source,
}: PublisherSiteOptions): Promise<Site> {
  const { pages } = await source.bundle();
  return openSite({
    dir: config.siteDir === null ? null : resolve(root, config.siteDir),
    noIndex: config.siteNoIndex,
    logger,
    tokens: readTokens(source.styles),
    headTags: source.headTags,
    // Pictures of its own pages are files of this site.
    render: (html, texts) =>
      renderArticleHtml(html, {
        imageHost: config.publicOrigin,
        imagesServedBelow: null,
        publicOrigin: config.publicOrigin,
        texts,
      }),
    builtIn: {
      all: [...OTHER_ROUTES, ...pages.flatMap(({ path }) => /^\/([^/:*]+)$/.exec(path)?.[1] ?? [])],
      replaceable: REPLACEABLE,
    },
  });
}

import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { SiteOfDocuments } from '#client/entry-server.tsx';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import type { Config } from '#server/config/config.ts';
import { themeColours } from '#server/render/assets.ts';
import type { PageSource } from '#server/render/page-source.ts';
import type { SiteFolder } from './read-site-folder.ts';
import { openSite, type Site } from './site.ts';
import { readTokens } from './theme.ts';

/** Returns the tags for the head of documents: the build's, with the theme after them and without what it replaces. */
function headOf(built: string, { theme, replacedFonts, paper }: SiteFolder): string {
  const head = replacedFonts
    .reduce(
      (tags, font) => tags.replace(new RegExp(`<link rel="preload" as="font"[^>]*${font}[^>]*>`), ''),
      built,
    )
    .replace(/(<meta name="theme-color"[^>]*>)+/, themeColours(paper));
  return theme === null ? head : `${head}<link rel="stylesheet" href="${theme}">`;
}

/** Returns the source of the pages with the settings and pages of the site folder; the same one where there is none. */
export function withSiteFolder(
  source: PageSource,
  site: Site,
): Pick<PageSource, 'bundle'> & { headTags: () => string } {
  const { headTags } = source;
  if (site.folder() === null) return { bundle: source.bundle, headTags: () => headTags };
  let of: SiteFolder | null = null;
  let documents: SiteOfDocuments | undefined;
  let names: ReadonlySet<string> = new Set();

  function current(): SiteOfDocuments | undefined {
    const folder = site.folder();
    if (folder === null || folder === of) return documents;
    of = folder;
    names = new Set(folder.pages.keys());
    documents = { settings: folder.settings, module: folder.module, head: headOf(headTags, folder) };
    return documents;
  }

  return {
    headTags: () => current()?.head ?? headTags,
    async bundle() {
      const built = await source.bundle();
      const documentsNow = current();
      return {
        ...built,
        canonicalUrl: (target) => built.canonicalUrl(target, names),
        loadPage: (input) => built.loadPage({ ...input, ...(documentsNow && { site: documentsNow }) }),
      };
    },
  };
}

export interface PublisherSiteOptions {
  config: Pick<Config, 'siteDir' | 'siteNoIndex' | 'publicOrigin'>;
  /** The project's folder. */
  root: string;
  logger: Logger;
  source: Pick<PageSource, 'bundle' | 'styles'>;
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

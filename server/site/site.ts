import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import { createEvent } from '#server/cache/cache-events.ts';
import type { Config } from '#server/config/config.ts';
import type { PageSource } from '#server/render/page-source.ts';
import { defaultSite, type SiteSettings } from '#shared/site.ts';
import {
  listFiles,
  type ReadSiteFolderOptions,
  readSiteFolder,
  type SiteFolder,
} from './read-site-folder.ts';
import { paperColours, readTokens } from './theme.ts';

/** The site's settings and the publisher's folder. */
export type Site = Awaited<ReturnType<typeof openSite>>;

export interface SiteOptions extends ReadSiteFolderOptions {
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/**
 * How often the folder is checked for changes (ms). It is read again when two checks in a row have found the same change, so
 * that no half of a copy is read. Changes are found by the times of the files and not by `fs.watch`, because mounted volumes
 * do not report theirs.
 */
export const CHECK_EVERY_MS = 2_000;

/** Reads the site folder, and again after each change. Rejects with a `ConfigError`. */
export async function openSite({ dir, logger, ...options }: SiteOptions) {
  /** Changes with the folder, and when it cannot be listed. */
  const signatureOf = async () => (dir === null ? '' : listFiles(dir).then(JSON.stringify, String));
  const read = () => readSiteFolder({ dir, ...options });
  const warn = () => {
    for (const warning of folder?.warnings ?? []) logger.warn(`site folder: ${warning}`);
  };
  let inForce = await signatureOf();
  let folder: SiteFolder | null = dir === null && !options.noIndex ? null : await read();
  let lastFound = inForce;
  let isValid = true;
  const change = createEvent<void>();
  warn();

  async function check(): Promise<void> {
    const before = lastFound;
    lastFound = await signatureOf();
    if (lastFound === inForce || lastFound !== before) return;
    inForce = lastFound;
    folder = await read();
    isValid = true;
    warn();
    logger.info('the site folder has changed: pages are made again');
    change.emit();
  }

  function fail(error: unknown): void {
    isValid = false;
    const mistakes = String(error instanceof Error ? error.message : error).split('\n');
    logger.error({ mistakes }, 'the site folder has a mistake: the state before it stays in force');
  }

  let isChecking = false;
  async function checkOnce(): Promise<void> {
    // One at a time: a slow disk may take longer than the interval.
    if (isChecking) return;
    isChecking = true;
    await check().catch(fail);
    isChecking = false;
  }
  const timer = dir === null ? undefined : setInterval(checkOnce, CHECK_EVERY_MS).unref();

  return {
    settings: (): SiteSettings => folder?.settings ?? defaultSite,
    folder: () => folder,
    paper: () => folder?.paper ?? paperColours(options.tokens),
    /** False: the last change of the folder has a mistake, and the state before it is in force. */
    isValid: () => isValid,
    onChange: change.on,
    close: () => clearInterval(timer),
  };
}

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
  root: string;
  logger: Logger;
  source: Pick<PageSource, 'bundle' | 'headTags' | 'styles'>;
}

/** Addresses that are no pages of the table: a page of their name would never be shown. */
const OTHER_ROUTES = ['404', 'healthz', 'readyz', 'search'];

/** Opens the site with the folder of the configuration. Rejects with a `ConfigError`. */
export async function openPublisherSite({ config, root, logger, source }: PublisherSiteOptions) {
  const { pages } = await source.bundle();
  const { publicOrigin } = config;
  return openSite({
    dir: config.siteDir === null ? null : resolve(root, config.siteDir),
    noIndex: config.siteNoIndex,
    logger,
    tokens: readTokens(source.styles),
    headTags: source.headTags,
    // Pictures of its own pages are files of this site.
    render: (html, texts) =>
      renderArticleHtml(html, { imageHost: publicOrigin, imagesServedBelow: null, publicOrigin, texts }),
    builtIn: [...OTHER_ROUTES, ...pages.flatMap(({ path }) => /^\/([^/:*]+)$/.exec(path)?.[1] ?? [])],
  });
}

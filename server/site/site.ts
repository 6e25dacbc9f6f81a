import type { Logger } from 'pino';
import { createEvent } from '#server/cache/cache-events.ts';
import { defaultSite, type SiteSettings } from '#shared/site.ts';
import {
  listFiles,
  type ReadSiteFolderOptions,
  readSiteFolder,
  type SiteFolder,
} from './read-site-folder.ts';
import { paperColours } from './theme.ts';

/** The site's settings and the publisher's folder. */
export interface Site {
  settings(): SiteSettings;
  /** What the folder says; null without one. */
  folder(): SiteFolder | null;
  /** Colours of the page's background. */
  paper(): { light: string; dark: string };
  /** False: the last change of the folder has a mistake, and the state before it is in force. */
  isValid(): boolean;
  /** Calls `listener` after each change. */
  onChange(listener: () => void): void;
  close(): void;
}

export interface SiteOptions extends ReadSiteFolderOptions {
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/**
 * How often the folder is checked for changes (ms). It is read again when two checks in a row have found the same change, so
 * that no half of a copy is read, or when it has gone on changing for `MAX_CHECKS`: within ten seconds. Changes are found by
 * the times of the files and not by `fs.watch`, because mounted volumes do not report theirs.
 */
export const CHECK_EVERY_MS = 2_000;
const MAX_CHECKS = 4;

/** Reads the site folder, and again after each change. Rejects with a `SiteFolderError`. */
export async function openSite({ dir, logger, ...options }: SiteOptions): Promise<Site> {
  /** Changes with the folder, and when it cannot be listed. */
  const signatureOf = async () => (dir === null ? '' : listFiles(dir).then(JSON.stringify, String));
  const read = () => readSiteFolder({ dir, ...options });
  const warn = () => {
    for (const warning of folder?.warnings ?? []) logger.warn(`site folder: ${warning}`);
  };
  let known = await signatureOf();
  let folder = dir === null && !options.noIndex ? null : await read();
  let seen = known;
  /** In how many checks in a row it was another one than is in force. */
  let changedFor = 0;
  let isValid = true;
  const change = createEvent<void>();
  warn();

  async function check(): Promise<void> {
    const last = seen;
    seen = await signatureOf();
    changedFor = seen === known ? 0 : changedFor + 1;
    if (seen === known || (seen !== last && changedFor < MAX_CHECKS)) return;
    known = seen;
    changedFor = 0;
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
    settings: () => folder?.settings ?? defaultSite,
    folder: () => folder,
    paper: () => folder?.paper ?? paperColours(options.tokens),
    isValid: () => isValid,
    onChange: change.on,
    close: () => clearInterval(timer),
  };
}

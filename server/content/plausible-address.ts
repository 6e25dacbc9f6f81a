import { SiteError } from '#shared/site-error.ts';

/** Longer than any slug of a publishing system; what is longer never reaches the upstream. */
const LONGEST = 512;

/** Folders of other software that scanners ask every server for. None is a category of a publication. */
const FOLDERS =
  /^(\..*|wp-(admin|content|includes|json)|cgi-bin|phpmyadmin|pma|vendor|actuator|admin|administrator|solr|console|manager|owa|ecp|boaform|hnap1|geoserver|druid|etc|node_modules|_next|__debug__|server-status)$/i;

/** Endings of programs, archives and settings: an article's address has none of them. */
const FILES =
  /\.(php\d?|aspx?|ashx|jspx?|cgi|cfm|env|sql|bak|old|zip|rar|t?gz|tar|7z|ini|conf|ya?ml|log|exe|dll|sh|git|pem|key)$/i;

/**
 * Throws the `SiteError` of a page that does not exist where an address cannot be one: such a request costs the
 * upstream nothing. `segments`: an address's texts, decoded, an article's category first.
 */
export function refuseImplausible(...segments: string[]): void {
  const [folder = ''] = segments;
  const isForeign = segments.length > 1 && (FOLDERS.test(folder) || FILES.test(segments.at(-1) ?? ''));
  if (isForeign || segments.some(({ length }) => length > LONGEST))
    throw new SiteError('not-found', 'This page does not exist.');
}

import { site } from '#shared/site.ts';
import { element, xmlDocument } from './xml.ts';

/** Returns `/robots.txt`: allows everything except what is no page for search engines. */
export function robots(origin: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /search/',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    `Sitemap: ${origin}/news-sitemap.xml`,
    '',
  ].join('\n');
}

/** `Expires` of `/.well-known/security.txt`, from the day of the request: less than a year (RFC 9116). */
const SECURITY_DAYS = 330;
const DAY_MS = 86_400_000;

/** Returns `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. `now`: wall-clock milliseconds. */
export function securityText(origin: string, now: number): string {
  const expires = new Date(Math.ceil((now + SECURITY_DAYS * DAY_MS) / DAY_MS) * DAY_MS).toISOString();
  return [
    `Contact: mailto:${site.emails.security}`,
    `Expires: ${expires}`,
    `Canonical: ${origin}/.well-known/security.txt`,
    `Preferred-Languages: ${site.language}`,
    '',
  ].join('\n');
}

/** Returns `/opensearch.xml`, by which browsers offer the site's search. */
export function openSearch(origin: string): string {
  return xmlDocument(
    element(
      'OpenSearchDescription',
      [
        element('ShortName', site.name.slice(0, 16)),
        element('LongName', site.name.slice(0, 48)),
        element('Description', `Search ${site.name}`),
        element('InputEncoding', 'UTF-8'),
        element('Image', `${origin}/favicon.svg`, { width: '16', height: '16', type: 'image/svg+xml' }),
        element('Url', [], { type: 'text/html', template: `${origin}/search/all/{searchTerms}` }),
      ],
      { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
    ),
  );
}

/** Returns `/manifest.webmanifest`. */
export function webManifest(): string {
  return JSON.stringify({
    name: site.name,
    short_name: site.name,
    description: site.description,
    lang: site.language,
    start_url: '/',
    display: 'minimal-ui',
    background_color: '#faf6ee',
    theme_color: '#faf6ee',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  });
}

/**
 * Returns `/speculation-rules.json`: until a page is hydrated, the browser prefetches the document of a link that a reader is
 * about to follow; after that the client prefetches code and data. No prerender: nobody would count its view.
 */
export function speculationRules(): string {
  const page = { href_matches: '/*' };
  const file = { href_matches: ['/api/*', '/media/*', '/assets/*', '/*.*'] };
  return JSON.stringify({
    prefetch: [
      {
        where: { and: [page, { not: file }, { selector_matches: 'html:not([data-hydrated]) a' }] },
        eagerness: 'moderate',
      },
    ],
  });
}

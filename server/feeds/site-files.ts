import { site } from '#shared/site.ts';
import { element, xmlDocument } from './xml.ts';

/** `/robots.txt`: everything may be read but what is not a page for search engines. */
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

/** `/opensearch.xml`: browsers offer the site's search. */
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
        { name: 'Url', attributes: { type: 'text/html', template: `${origin}/search/all/{searchTerms}` } },
      ],
      { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
    ),
  );
}

/** `/manifest.webmanifest`: the site as an application. */
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
    icons: [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }],
  });
}

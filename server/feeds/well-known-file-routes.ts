import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';
import { SPECULATION_RULES_PATH, sendWithEtag } from '#server/http/response/send-response.ts';
import type { Site } from '#server/site/site.ts';
import type { Clock } from '#server/time.ts';
import type { SiteSettings } from '#shared/site.ts';
import { API_PREFIX } from '#shared/site-api.ts';
import * as en from '#shared/texts/en.ts';
import { translator } from '#shared/texts/translate.ts';
import { element, xmlDocument } from './xml.ts';

export interface WellKnownFileRoutesOptions {
  config: Pick<Config, 'publicOrigin'>;
  site: Pick<Site, 'settings' | 'paper'>;
  clock: Clock;
}

/** The files that describe the site to programs. They depend on the configuration and the day: fresh for an hour. */
export async function wellKnownFileRoutes(
  app: FastifyInstance,
  { config, site, clock }: WellKnownFileRoutesOptions,
): Promise<void> {
  const origin = config.publicOrigin;
  const plain = 'text/plain; charset=utf-8';
  const add = (url: string, type: string, text: () => string) =>
    app.route({
      // Fastify's own HEAD route would add a length to a 304.
      method: ['GET', 'HEAD'],
      url,
      handler(request, reply) {
        const body = text();
        reply.header('cache-control', 'public, max-age=3600');
        return sendWithEtag(request, reply, { type, body, etag: `"${hash('sha1', body, 'base64url')}"` });
      },
    });

  add('/robots.txt', plain, () => robots(origin, site.settings()));
  add('/.well-known/security.txt', plain, () => securityText(origin, clock.now(), site.settings()));
  add('/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8', () =>
    openSearch(origin, site.settings()),
  );
  add('/manifest.webmanifest', 'application/manifest+json; charset=utf-8', () =>
    webManifest(site.settings(), site.paper().light),
  );
  add(SPECULATION_RULES_PATH, 'application/speculationrules+json', speculationRules);
}

/** Crawlers that collect texts for AI models or answer with them, by the names that their makers have published. */
const AI_CRAWLERS = [
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'anthropic-ai',
  'Google-Extended',
  'GoogleOther',
  'Applebot-Extended',
  'PerplexityBot',
  'Perplexity-User',
  'CCBot',
  'Bytespider',
  'Amazonbot',
  'meta-externalagent',
  'FacebookBot',
  'cohere-ai',
  'cohere-training-data-crawler',
  'DuckAssistBot',
  'MistralAI-User',
  'Diffbot',
  'Omgilibot',
  'ImagesiftBot',
  'AI2Bot',
  'YouBot',
  'Timpibot',
  'PanguBot',
];

/** Returns `/robots.txt`: allows everything except what is no page for search engines. */
function robots(origin: string, { crawlers, noIndex }: SiteSettings): string {
  if (noIndex) return 'User-agent: *\nDisallow: /\n';
  return [
    ...(crawlers.ai === 'refuse'
      ? [...AI_CRAWLERS.map((name) => `User-agent: ${name}`), 'Disallow: /', '']
      : []),
    'User-agent: *',
    `Disallow: ${API_PREFIX}`,
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
function securityText(origin: string, now: number, site: SiteSettings): string {
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
function openSearch(origin: string, site: SiteSettings): string {
  return xmlDocument(
    element(
      'OpenSearchDescription',
      [
        element('ShortName', site.name.slice(0, 16)),
        element('LongName', site.name.slice(0, 48)),
        element('Description', translator(site)(en.searchName, { name: site.name })),
        element('InputEncoding', 'UTF-8'),
        element('Image', `${origin}/favicon.svg`, { width: '16', height: '16', type: 'image/svg+xml' }),
        element('Url', [], { type: 'text/html', template: `${origin}/search/all/{searchTerms}` }),
      ],
      { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
    ),
  );
}

/** Returns `/manifest.webmanifest`. `paper`: the colour of the page's background. */
function webManifest(site: SiteSettings, paper: string): string {
  return JSON.stringify({
    name: site.name,
    short_name: site.name,
    description: site.description,
    lang: site.language,
    start_url: '/',
    display: 'minimal-ui',
    background_color: paper,
    theme_color: paper,
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
function speculationRules(): string {
  const page = { href_matches: '/*' };
  const file = { href_matches: [`${API_PREFIX}*`, '/media/*', '/assets/*', '/*.*'] };
  const where = { and: [page, { not: file }, { selector_matches: 'html:not([data-hydrated]) a' }] };
  return JSON.stringify({ prefetch: [{ where, eagerness: 'moderate' }] });
}

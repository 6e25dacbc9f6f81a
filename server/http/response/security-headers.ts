import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import helmet from 'helmet';
import type { CspAdditions } from '#server/site/site-schema.ts';
import { PLAYER_HOSTS } from '#shared/embed-providers.ts';

/** Names in lower case, and values. */
export type Headers = Readonly<Record<string, string>>;

export interface SecurityPolicy {
  publicOrigin: string;
  /** Null: images come from this origin. */
  imageHost: string | null;
  noIndex?: boolean;
  csp?: CspAdditions;
  /** Whether HSTS holds for all subdomains as well, which need not be this site's. Default: no. */
  hstsSubdomains?: boolean;
  /** Allows what Vite's hot reload needs: a web socket and style elements. */
  development: boolean;
}

const HSTS_MAX_AGE_S = 365 * 86_400;

/**
 * Returns the security headers of every response, as helmet makes them. They depend on the configuration alone, so they
 * are made once (`docs/decisions/0022`, `0026`). Scripts need neither nonce nor hash: none is inline, so that cached bytes
 * are the same for everyone.
 */
export function createSecurityHeaders(policy: SecurityPolicy): Record<string, string> {
  const { publicOrigin, imageHost, noIndex = false, csp = {}, hstsSubdomains = false, development } = policy;
  // Pictures, audio and video files inside an article may come from any https host that its author chose.
  const mediaHosts = ['https:', ...(imageHost ? [new URL(imageHost).origin] : [])];
  const of = (directive: keyof CspAdditions) => csp[directive] ?? [];
  const secure = publicOrigin.startsWith('https:');
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        // Of what falls back to it only the manifest is used: WebKit warns of `manifest-src` on the console.
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...of('script-src')],
        styleSrc: ["'self'", ...(development ? ["'unsafe-inline'"] : []), ...of('style-src')],
        fontSrc: ["'self'", ...of('font-src')],
        imgSrc: ["'self'", 'data:', ...mediaHosts, ...of('img-src')],
        connectSrc: ["'self'", ...(development ? ['ws:'] : []), ...of('connect-src')],
        // Players and posts of other sites, which a reader loads by a click.
        frameSrc: [...PLAYER_HOSTS, ...of('frame-src')],
        mediaSrc: ["'self'", ...mediaHosts, ...of('media-src')],
        workerSrc: csp['worker-src'] ?? ["'none'"],
        formAction: ["'self'", ...of('form-action')],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        // Only `client/components/rich-text` turns text into markup. Vite's error overlay would be blocked.
        ...(!development && {
          requireTrustedTypesFor: ["'script'"],
          trustedTypes: ['rich-text', ...of('trusted-types')],
        }),
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    // The share button waits for its window to close, which `same-origin` would hide from it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: secure && { maxAge: HSTS_MAX_AGE_S, includeSubDomains: hstsSubdomains },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    // For browsers and plugins that are gone.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  apply(request, response, (error?: unknown) => {
    if (error) throw error;
  });
  const headers = Object.entries(response.getHeaders());
  return {
    ...Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    ...(noIndex && { 'x-robots-tag': 'noindex' }),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  };
}

/** Route templates of images and icons: a 304 has no media type to recognise them by. */
const IMAGE_ROUTE = /^\/media\/|^\/[^/]+\.(?:png|svg|ico)$/;

const FEED_TYPE = /^application\/(?:rss\+xml|atom\+xml|feed\+json)\b/;

/** Whether a media type is that of a feed. Other sites may embed feeds, as they may images and icons. */
export function isFeed(contentType: string): boolean {
  return FEED_TYPE.test(contentType);
}

/** Returns the security headers of what other sites may embed. */
export function embeddableHeaders(headers: Headers): Headers {
  return { ...headers, 'cross-origin-resource-policy': 'cross-origin' };
}

/** Sets the security headers and the request's id on every response that Fastify sends itself. */
export const securityHeaders = fp(
  async (app: FastifyInstance, { headers }: { headers: () => Headers }): Promise<void> => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const isImage = IMAGE_ROUTE.test(request.routeOptions.url ?? '');
      reply.headers(isImage ? embeddableHeaders(headers()) : headers()).header('x-request-id', request.id);
      done(null, payload);
    });
  },
  { name: 'security-headers' },
);

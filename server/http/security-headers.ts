import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** What the security headers depend on. */
export interface SecurityOptions {
  publicOrigin: string;
  /** Null: images come from this origin. */
  imageHost: string | null;
  /** Vite's hot reload talks over a web socket and adds style elements. */
  development: boolean;
}

/** Where a player comes from, once a reader has asked for one or an article embeds one. */
const PLAYERS = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'];

/**
 * The security headers of every answer. They depend on the configuration alone, so helmet is asked once.
 * Scripts need neither nonce nor hash: none is inline, so that cached bytes stay the same for everyone.
 */
export function securityHeaders({
  publicOrigin,
  imageHost,
  development,
}: SecurityOptions): Record<string, string> {
  const secure = publicOrigin.startsWith('https:');
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: development ? ["'self'", "'unsafe-inline'"] : ["'self'"],
        fontSrc: ["'self'"],
        // Pictures inside an article may come from any https host that its author chose.
        imgSrc: ["'self'", 'data:', 'https:', ...(imageHost ? [new URL(imageHost).origin] : [])],
        connectSrc: development ? ["'self'", 'ws:'] : ["'self'"],
        frameSrc: PLAYERS,
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        // Only `client/components/rich-text` turns text into markup. Vite's overlay would not pass.
        ...(!development && { requireTrustedTypesFor: ["'script'"], trustedTypes: ['rich-text'] }),
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    // A share window is watched until it closes, which `same-origin` would forbid.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: secure,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  apply(request, response, (error?: unknown) => {
    if (error) throw error;
  });
  const headers = Object.entries(response.getHeaders()).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return {
    ...Object.fromEntries(headers),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  };
}

/** Pictures and icons by the templates of their routes: a 304 has no media type to tell them by. */
const PICTURE_ROUTE = /^\/media\/|^\/[^/]+\.(?:png|svg|ico)$/;

const FEED_TYPE = /^application\/(?:rss\+xml|atom\+xml|feed\+json)\b/;

/** True for a feed's media type. Other sites may embed feeds, as they may pictures and icons. */
export function isFeed(contentType: string): boolean {
  return FEED_TYPE.test(contentType);
}

/** The security headers of what other sites may embed. */
export function embeddableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { ...headers, 'cross-origin-resource-policy': 'cross-origin' };
}

/** Sets the security headers and the request's id on every answer that Fastify sends itself. */
export function registerSecurityHeaders(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
): void {
  const embeddable = embeddableHeaders(headers);
  app.addHook('onSend', (request, reply, payload, done) => {
    const isPicture = PICTURE_ROUTE.test(request.routeOptions.url ?? '');
    reply.headers(isPicture ? embeddable : headers).header('x-request-id', request.id);
    done(null, payload);
  });
}

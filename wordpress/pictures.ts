import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Agent } from 'undici';
import type { Discovery } from './discover.ts';
import { createAgent } from './rest-client.ts';

/** Path below which the adapter serves originals: it is the site's image host. */
export const MEDIA_PATH = '/media';
/** Stands for WordPress's own host in paths, so that they stay the same when it moves. */
const OWN = 'site';
const GRAVATAR = 'secure.gravatar.com';
const PHOTON = /^i[0-3]\.wp\.com$/;
/** WordPress.com's services, where Jetpack and sites that have moved keep pictures. */
const SERVICES = /^(i[0-3]\.wp\.com|([\w-]+\.)?files\.wordpress\.com)$/;
const PICTURE = /\.(jpe?g|png|gif|webp|avif)$/i;
const AVATAR = /^\/avatar\/[\da-f]{0,64}$/i;
const CONNECTIONS = 4;
const TIMEOUT_MS = 10_000;

/** Returns the path of a picture below `MEDIA_PATH`; null for one of another host, which is not served. */
export function picturePath(address: string | null | undefined, discovery: Discovery): string | null {
  const url = URL.parse(address ?? '', discovery.origin);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (/(^|\.)gravatar\.com$/.test(url.host))
    return AVATAR.test(url.pathname) ? `/${GRAVATAR}${url.pathname}` : null;
  if (!PICTURE.test(url.pathname)) return null;
  // Photon's path names the original: `/example.org/wp-content/…`.
  const original = PHOTON.test(url.host) ? URL.parse(`https:/${url.pathname}`) : url;
  if (original && [discovery.origin, ...discovery.homes].some((home) => new URL(home).host === original.host))
    return `/${OWN}${original.pathname}`;
  const isServed = SERVICES.test(url.host) || discovery.mediaHosts.includes(url.host);
  return isServed ? `/${url.host}${url.pathname}` : null;
}

/** Returns the URL of the original of a path below `MEDIA_PATH`; null where no host of the WordPress's may have it. */
function originalUrl(path: string, discovery: Discovery): URL | null {
  const [, host = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(path) ?? [];
  if (host === GRAVATAR && AVATAR.test(rest)) return new URL(`https://${host}${rest}?s=512&d=mp`);
  const isServed = host === OWN || SERVICES.test(host) || discovery.mediaHosts.includes(host);
  if (!isServed || !PICTURE.test(rest)) return null;
  if (host !== OWN) return new URL(`https://${host}${rest}${PHOTON.test(host) ? '?ssl=1' : ''}`);
  return URL.parse(`${discovery.origin}${rest}`);
}

/** Refuses addresses of private networks, to which a name in a media library could lead. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const open = addresses?.filter(({ address }) => ipaddr.process(address).range() === 'unicast') ?? [];
    const [first] = open;
    if (error || !first) callback(error ?? new Error('no public address'), '', 4);
    else if (options.all) callback(null, open);
    else callback(null, first.address, first.family);
  });
};

/** `GET /media/{host}/{path}`: originals of the pictures in posts. No redirect is followed. */
export function pictureRoutes(
  app: FastifyInstance,
  discovered: () => Promise<Discovery>,
  authorization: string | null,
) {
  const own = createAgent(CONNECTIONS);
  // A forward proxy resolves names itself, and is where such addresses are refused.
  const others = process.env['HTTPS_PROXY']
    ? own
    : new Agent({ connections: CONNECTIONS, connect: { lookup: publicLookup } });
  app.addHook('onClose', async () => void (await Promise.all([own.destroy(), others.destroy()])));

  app.get(`${MEDIA_PATH}/*`, async ({ url: target, headers: asked }, reply) => {
    const discovery = await discovered();
    const url = originalUrl(target.slice(MEDIA_PATH.length).replace(/\?.*$/, ''), discovery);
    if (url === null) return reply.code(404).send();
    const isOwn = url.origin === discovery.origin;
    const sending = (isOwn ? own : others).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        accept: 'image/*',
        ...(asked['if-none-match'] && { 'if-none-match': asked['if-none-match'] }),
        ...(asked['if-modified-since'] && { 'if-modified-since': asked['if-modified-since'] }),
        ...(isOwn && authorization !== null && { authorization }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const response = await sending.catch((error: unknown) => String(error));
    if (typeof response === 'string') return reply.code(502).send({ message: response });
    const { statusCode, headers, body } = response;
    const isPicture =
      statusCode === 304 || (statusCode === 200 && /^image\//.test(String(headers['content-type'])));
    if (!isPicture) {
      await body.dump();
      return reply.code(statusCode >= 500 || statusCode === 429 ? 502 : 404).send();
    }
    for (const name of ['content-type', 'etag', 'last-modified'])
      if (headers[name]) reply.header(name, headers[name]);
    return reply.code(statusCode).send(body);
  });
}

import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import type { Discovery } from './rest-api-discovery.ts';
import { createAgent, USER_AGENT } from './rest-client.ts';

/** Path below which the adapter serves originals: it is the site's image host. */
export const MEDIA_PATH = '/media';
/** Stands for WordPress's own host in paths, so that they stay the same when it moves. */
const OWN = 'site';
const GRAVATAR = 'secure.gravatar.com';
const PHOTON = /^i[0-3]\.wp\.com$/;
/** WordPress.com's services, where Jetpack and sites that have moved keep pictures. */
const SERVICES = /^(i[0-3]\.wp\.com|([\w-]+\.)?files\.wordpress\.com)$/;
const PICTURE = /\.(jpe?g|png|gif|webp|avif)$/i;
/** Of an address: an author without one has no picture. */
const AVATAR = /^\/avatar\/[\da-f]{32,64}$/i;
/** Of a picture: servers name AVIF and WebP by none, or by that of any file. The site looks into the bytes. */
const TYPE = /^(image\/|(application|binary)\/octet-stream)/;
/** How large a picture may be the site decides, which is its only reader. */
const POOL = { connections: 4 };
const TIMEOUT_MS = 10_000;

/** Returns the hosts of files of a media library; none for a file of an IP address. */
export function mediaHostsOf(addresses: readonly (string | null | undefined)[]): string[] {
  const urls = addresses.flatMap((address) => URL.parse(address ?? '') ?? []);
  // A connection to an address looks no name up, where those of private networks are refused.
  return urls.flatMap(({ host, hostname }) => (isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? host : []));
}

/** Returns the path of a picture below `MEDIA_PATH`; null for one of another host, which is not served. */
export function picturePath(address: string | null | undefined, discovery: Discovery): string | null {
  const url = URL.parse(address ?? '', discovery.origin);
  if (!address || url === null || !/^https?:$/.test(url.protocol)) return null;
  if (/(^|\.)gravatar\.com$/.test(url.host))
    return AVATAR.test(url.pathname) ? `/${GRAVATAR}${url.pathname}` : null;
  if (!PICTURE.test(url.pathname)) return null;
  // Photon's path names the original: `/example.org/wp-content/…`.
  const original = PHOTON.test(url.host) ? URL.parse(`https:/${url.pathname}`) : url;
  // Old posts name the host as it was before a redirect to `www`, or from it.
  const hostOf = ({ host }: URL) => host.replace(/^www\./, '');
  const homes = [discovery.origin, ...discovery.homes].map((home) => hostOf(new URL(home)));
  if (original && homes.includes(hostOf(original))) return `/${OWN}${original.pathname}`;
  const isServed = SERVICES.test(url.host) || discovery.mediaHosts.has(url.host);
  return isServed ? `/${url.host}${url.pathname}` : null;
}

/** Returns the URL of the original of a path below `MEDIA_PATH`; null where no host of the WordPress's may have it. */
function originalUrl(path: string, { origin, mediaHosts }: Discovery): URL | null {
  const [, host = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(path) ?? [];
  if (host === GRAVATAR && AVATAR.test(rest)) return new URL(`https://${host}${rest}?s=512&d=mp`);
  if (!PICTURE.test(rest)) return null;
  if (host === OWN) return URL.parse(origin + rest);
  const isServed = SERVICES.test(host) || mediaHosts.has(host);
  return isServed ? URL.parse(`https://${host}${rest}${PHOTON.test(host) ? '?ssl=1' : ''}`) : null;
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
  const own = createAgent(POOL);
  // A forward proxy resolves names itself, and is where such addresses are refused.
  const isProxied = process.env['HTTPS_PROXY'] || process.env['HTTP_PROXY'];
  const others = isProxied ? own : new Agent({ ...POOL, connect: { lookup: publicLookup } });
  app.addHook('onClose', async () => void (await Promise.all([own.destroy(), others.destroy()])));

  app.get(`${MEDIA_PATH}/*`, async ({ url: target }, reply) => {
    const discovery = await discovered();
    const url = originalUrl(target.slice(MEDIA_PATH.length).replace(/\?.*$/, ''), discovery);
    if (url === null) return reply.code(404).send();
    const isOwn = url.origin === discovery.origin;
    const { statusCode, headers, body } = await request(url, {
      dispatcher: isOwn ? own : others,
      headers: {
        ...USER_AGENT,
        accept: 'image/*',
        ...(isOwn && authorization !== null && { authorization }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const type = String(headers['content-type'] ?? 'application/octet-stream');
    if (statusCode === 200 && TYPE.test(type)) return reply.header('content-type', type).send(body);
    await body.dump();
    return reply.code(statusCode >= 500 || statusCode === 429 ? 502 : 404).send();
  });
}

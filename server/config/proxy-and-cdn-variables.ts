import { z } from 'zod';
import { CDN_NETWORKS } from '#server/cdn/cdn-networks.ts';
import { CDN_NAMES } from '#server/cdn/cdn-vendors.ts';
import { BASE_URL, either, oneOf, optional, secret, TOKEN, text, variable, whereValid } from './variable.ts';

/** Fastify's library takes no network of all addresses (`/0`): that is `true`. */
const NETWORK = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((network) => !network.endsWith('/0'));

/** Fastify's `trustProxy`, except for its hop count, which would let a client forge its IP. */
const TRUST_PROXY = z
  .union([
    either('true', 'false'),
    z
      .string()
      .transform((list) => list.split(',').flatMap((item) => networksOf(item.trim())))
      .pipe(z.array(NETWORK)),
  ])
  .describe('false, true, or a comma-separated list of addresses, CIDRs (not /0), cloudflare or fastly');

function networksOf(item: string): readonly string[] {
  return item === 'cloudflare' || item === 'fastly' ? CDN_NETWORKS[item] : [item];
}

/** What is believed of the proxies in front of the site. */
export const proxyVariables = {
  trustProxy: variable('TRUST_PROXY', 'false', 'proxies whose X-Forwarded-For is believed', TRUST_PROXY),
  clientIpHeader: optional(
    'CLIENT_IP_HEADER',
    'header with the client’s IP, such as CF-Connecting-IP; believed from TRUST_PROXY’s addresses alone',
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/)
      .toLowerCase()
      .describe('the name of a header'),
  ),
  originSecret: secret(
    'ORIGIN_SECRET',
    'requests without it in X-Origin-Secret are refused, health checks excepted: nobody goes around the CDN',
    TOKEN,
  ),
};

/** The CDN in front of all instances. */
export const cdnVariables = z
  .object({
    name: optional('CDN', 'the shared cache in front of all instances', oneOf(CDN_NAMES)),
    purgeUrl: optional('CDN_PURGE_URL', 'where purges go; the vendor’s API when unset', BASE_URL),
    token: secret('CDN_TOKEN', 'API token of the CDN', text('visible characters', /^[\x21-\x7e]{1,512}$/)),
    zone: optional(
      'CDN_ZONE',
      'Fastly’s service id or Cloudflare’s zone id',
      text('an id of letters and digits', /^[A-Za-z0-9_-]{1,100}$/),
    ),
  })
  .refine(({ name, purgeUrl }) => name !== 'varnish' || purgeUrl !== null, {
    path: ['purgeUrl'],
    message: 'the address that Varnish takes purges at',
    when: whereValid('name', 'purgeUrl'),
  })
  .refine(({ name, token }) => name === null || name === 'varnish' || token !== null, {
    path: ['token'],
    message: 'an API token of the CDN',
    when: whereValid('name', 'token'),
  })
  .refine(({ name, zone }) => name === null || name === 'varnish' || zone !== null, {
    path: ['zone'],
    message: 'a service or zone id of the CDN',
    when: whereValid('name', 'zone'),
  });

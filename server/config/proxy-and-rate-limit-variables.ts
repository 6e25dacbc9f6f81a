import { z } from 'zod';
import { either, integer, optional, SECRET, variable } from './variable.ts';

const RATE_LIMIT = integer(0, 10_000_000);

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

/** Who a client is, and how much one may ask. */
export const proxyAndRateLimitVariables = {
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
  originSecret: optional(
    'ORIGIN_SECRET',
    'requests without it in X-Origin-Secret are refused, health checks excepted: nobody goes around the CDN',
    SECRET,
    true,
  ),
  rateLimit: z.object({
    read: variable(
      'RATE_LIMIT_READ',
      '1200',
      'reads (pages, API, feeds, files) a minute for one client, an IPv4 address or an IPv6 /64; 0 turns it off',
      RATE_LIMIT,
    ),
    write: variable(
      'RATE_LIMIT_WRITE',
      '20',
      'form posts a minute for one client; 0 turns it off',
      RATE_LIMIT,
    ),
    beacon: variable(
      'RATE_LIMIT_BEACON',
      '600',
      'beacons (views, Web Vitals) a minute for one client; 0 turns it off',
      RATE_LIMIT,
    ),
  }),
};

/**
 * Networks that CDNs connect to origins from, by the name that `TRUST_PROXY` takes. State of November 2026; the vendors
 * publish changes, about once a year, at www.cloudflare.com/ips and api.fastly.com/public-ip-list.
 */
export const CDN_NETWORKS = {
  cloudflare: [
    '173.245.48.0/20',
    '103.21.244.0/22',
    '103.22.200.0/22',
    '103.31.4.0/22',
    '141.101.64.0/18',
    '108.162.192.0/18',
    '190.93.240.0/20',
    '188.114.96.0/20',
    '197.234.240.0/22',
    '198.41.128.0/17',
    '162.158.0.0/15',
    '104.16.0.0/13',
    '104.24.0.0/14',
    '172.64.0.0/13',
    '131.0.72.0/22',
    '2400:cb00::/32',
    '2606:4700::/32',
    '2803:f800::/32',
    '2405:b500::/32',
    '2405:8100::/32',
    '2a06:98c0::/29',
    '2c0f:f248::/32',
  ],
  fastly: [
    '23.235.32.0/20',
    '43.249.72.0/22',
    '103.244.50.0/24',
    '103.245.222.0/23',
    '103.245.224.0/24',
    '104.156.80.0/20',
    '140.248.64.0/18',
    '140.248.128.0/17',
    '146.75.0.0/17',
    '151.101.0.0/16',
    '157.52.64.0/18',
    '167.82.0.0/17',
    '167.82.128.0/20',
    '167.82.160.0/20',
    '167.82.224.0/20',
    '172.111.64.0/18',
    '185.31.16.0/22',
    '199.27.72.0/21',
    '199.232.0.0/16',
    '2a04:4e40::/32',
    '2a04:4e42::/32',
  ],
} as const satisfies Record<string, readonly string[]>;

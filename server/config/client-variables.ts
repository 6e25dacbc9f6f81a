import { z } from 'zod';
import { CDN_NETWORKS } from './cdn-networks.ts';
import { either, integer, optional, SECRET, variable } from './variable.ts';

const RATE_LIMIT = integer(0, 10_000_000);

/** Fastify's `trustProxy`, except for its hop count, which would let a client forge its IP. */
const TRUST_PROXY = z
  .union([
    either('true', 'false'),
    z
      .string()
      .transform((list) => list.split(',').flatMap((item) => networksOf(item.trim())))
      .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))),
  ])
  .describe('false, true, or a comma-separated list of addresses, CIDRs, cloudflare or fastly');

function networksOf(item: string): readonly string[] {
  return item === 'cloudflare' || item === 'fastly' ? CDN_NETWORKS[item] : [item];
}

/** Who a client is, and how much one may ask. */
export const clientVariables = {
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

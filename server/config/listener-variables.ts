import { z } from 'zod';
import { either, HOST, HTTP, integer, optional, PORT, url, variable } from './variable.ts';

const ORIGIN = url(HTTP, /^https?:\/\/[^/@]+\/$/)
  .transform((value) => value.slice(0, -1))
  .describe('an origin such as https://www.example.com, without path');

/** Unset, `DRAIN_MS` is this, or half of a shorter grace period. */
export const DEFAULT_DRAIN_MS = 1_000;

/** Where readers connect, and when and how the site stops. */
export const listenerVariables = {
  port: variable('PORT', '3000', 'port of the site', PORT),
  host: variable('HOST', '0.0.0.0', 'address that the site listens on', HOST),
  publicOrigin: optional('PUBLIC_ORIGIN', 'base of absolute links; http://localhost:PORT when unset', ORIGIN),
  hstsSubdomains: variable(
    'HSTS_SUBDOMAINS',
    'false',
    'whether browsers must use https for all subdomains of PUBLIC_ORIGIN as well (includeSubDomains of Strict-Transport-Security)',
    either('true', 'false'),
  ),
  drainMs: optional(
    'DRAIN_MS',
    'how long readiness responds 503, and requests are still served, before a graceful stop closes the socket, in milliseconds; less than SHUTDOWN_GRACE_MS',
    integer(0, 600_000),
    String(DEFAULT_DRAIN_MS),
  ),
  shutdownGraceMs: variable(
    'SHUTDOWN_GRACE_MS',
    '10000',
    'bound of a graceful shutdown in milliseconds',
    integer(0, 600_000),
  ),
};

const RATE_LIMIT = integer(0, 10_000_000);

/** How much one client may ask. */
export const rateLimitVariables = {
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

import { z } from 'zod';
import { BASE_URL, HTTP_URL, integer, text } from './value-rules.ts';
import { optional, variable } from './variable.ts';

/** The upstream, and how it is called. */
export const upstreamVariables = {
  apiHost: optional('API_HOST', 'base URL of the upstream API; the demo CMS when unset', BASE_URL),
  apiAuthorization: optional(
    'API_AUTHORIZATION',
    'value of the Authorization header of upstream calls; sent to API_HOST alone',
    text('a header value of visible characters', /^[\x20-\x7e]{1,4096}$/),
    true,
  ),
  ipLookupUrl: optional(
    'IP_LOOKUP_URL',
    'public-IP lookup; https://api.ipify.org?format=json when unset, or the demo CMS’s own',
    HTTP_URL,
  ),
  optOutPath: variable(
    'OPT_OUT_PATH',
    '/api/optout/add',
    'upstream path of the opt-out form',
    text('a path that starts with /', /^\/[\w./~-]{1,200}$/),
  ),
  upstreamTimeoutMs: variable(
    'UPSTREAM_TIMEOUT_MS',
    '3000',
    'timeout of one upstream call in milliseconds, body included',
    integer(50, 60_000),
  ),
  proxies: z.object({
    http: optional(
      'HTTP_PROXY',
      'proxy of outgoing http requests; loopback is never proxied',
      HTTP_URL,
      true,
    ),
    https: optional('HTTPS_PROXY', 'proxy of outgoing https requests; HTTP_PROXY when unset', HTTP_URL, true),
    except: optional(
      'NO_PROXY',
      'hosts that are asked directly, each with its subdomains',
      text('comma-separated host names, with or without a port, or *', /^[\w.:*,[\] -]{1,4096}$/),
    ),
  }),
};

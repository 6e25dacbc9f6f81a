import { z } from 'zod';
import {
  BASE_URL,
  either,
  HTTP,
  integer,
  isDecodable,
  mebibytes,
  optional,
  secret,
  text,
  url,
  variable,
} from './variable.ts';

/** A URL that is called as it stands. Without a user, which calls leave out. */
const CALL_URL = url(HTTP, /^https?:\/\/[^/@?#]+\/[^#]*$/).describe(
  'an absolute URL (http:// or https://) without spaces, user and fragment',
);

const PROXY = url(HTTP).refine(isDecodable).describe('a percent-encoded URL (http:// or https://)');

/** Neither `//`, which would name a host, nor a segment of dots, which URL parsers remove. */
const OPT_OUT_PATH = /^(?=.{2,201}$)(\/(?!\.{1,2}(\/|$))[\w.~-]+)+\/?$/;

const SECTIONS = /^[^\s=;,/?#%]+ *=[^=;]+(; *[^\s=;,/?#%]+ *=[^=;]+)*;?$/;

/** The upstream, and how it is called. */
export const upstreamVariables = {
  apiHost: optional('API_HOST', 'base URL of the upstream API; the demo CMS when unset', BASE_URL),
  wordpressUrl: optional(
    'WORDPRESS_URL',
    'a WordPress whose content is served, in place of API_HOST and IMAGE_HOST',
    BASE_URL,
  ),
  wordpressSections: optional(
    'WORDPRESS_SECTIONS',
    'categories of each section; by the same slug and usual names when unset',
    text('such as interview=interviews,q-and-a;podcasts=podcast, without / ? # %', SECTIONS),
  ),
  submissionsUrl: secret(
    'SUBMISSIONS_URL',
    'where the adapter for WordPress posts subscriptions, messages and opt-outs as JSON; kept in DATA_DIR when unset',
    CALL_URL,
  ),
  apiAuthorization: secret(
    'API_AUTHORIZATION',
    'value of the Authorization header of upstream calls; sent to API_HOST or WORDPRESS_URL alone',
    text('a header value of visible characters', /^[\x20-\x7e]{1,4096}$/),
  ),
  ipLookupUrl: optional(
    'IP_LOOKUP_URL',
    'public-IP lookup; https://api.ipify.org?format=json when unset, or the demo CMS’s own',
    CALL_URL,
  ),
  optOutPath: variable(
    'OPT_OUT_PATH',
    '/api/optout/add',
    'upstream path of the opt-out form',
    text('a path such as /api/optout/add', OPT_OUT_PATH),
  ),
  upstreamTimeoutMs: variable(
    'UPSTREAM_TIMEOUT_MS',
    '3000',
    'timeout of one upstream call in milliseconds, body included',
    integer(50, 60_000),
  ),
  proxies: z.object({
    http: secret('HTTP_PROXY', 'proxy of outgoing http requests; loopback is never proxied', PROXY),
    https: secret('HTTPS_PROXY', 'proxy of outgoing https requests; HTTP_PROXY when unset', PROXY),
    except: optional(
      'NO_PROXY',
      'hosts that are asked directly, each with its subdomains',
      text('comma-separated host names, with or without a port, or *', /^[\w.:*,[\] -]{1,4096}$/),
    ),
  }),
};

/** Images. */
export const imageVariables = {
  imageHost: optional('IMAGE_HOST', 'base URL of images; the demo’s below /media when unset', BASE_URL),
  imageResize: variable(
    'IMAGE_RESIZE',
    'off',
    'serve pictures of IMAGE_HOST from /media of this origin, in the width and format that a browser wants; always on without IMAGE_HOST',
    either('on', 'off'),
  ),
  imageCacheMaxBytes: variable(
    'IMAGE_CACHE_MB',
    '512',
    'bound of resized pictures on disk, below DATA_DIR',
    mebibytes(1, 1_048_576),
  ),
};

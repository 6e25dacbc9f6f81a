import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { DEFAULT_POLICIES } from '#server/cache/default-policies.ts';
import { byResource } from '#server/cache/resources.ts';
import { CDN_NAMES } from './cdn/cdn-vendors.ts';
import { CDN_NETWORKS } from './http/proxies/cdn-networks.ts';

/** The description of one environment variable. */
export interface Variable {
  name: string;
  description: string;
  expected: string;
  /** The default of an unset variable; null where there is none. */
  fallback: string | null;
  isSecret: boolean;
}

interface Rule<T> {
  expected: string;
  schema: z.ZodType<T, string>;
}

/** The environment variable of each leaf of `configSchema`. */
const registry = z.registry<Variable>();

function variable<T>(name: string, fallback: string, description: string, { expected, schema }: Rule<T>) {
  return schema
    .prefault(fallback)
    .register(registry, { name, description, expected, fallback, isSecret: false });
}

function optional<T>(name: string, description: string, { expected, schema }: Rule<T>, isSecret = false) {
  return schema
    .nullable()
    .default(null)
    .register(registry, { name, description, expected, fallback: null, isSecret });
}

function text(expected: string, pattern: RegExp): Rule<string> {
  return { expected, schema: z.string().regex(pattern) };
}

/** An integer within inclusive bounds. */
function integer(min: number, max: number): Rule<number> {
  const number = z.int().min(min).max(max);
  return {
    expected: `a whole number from ${min} to ${max}`,
    schema: z
      .string()
      .regex(/^[0-9]{1,12}$/)
      .transform(Number)
      .pipe(number),
  };
}

/** An absolute URL with one of some protocols. A slash at its end is removed. */
function url(...protocols: string[]): Rule<string> {
  const protocol = new RegExp(`^(${protocols.join('|')})$`);
  return {
    expected: `an absolute URL (${protocols.map((name) => `${name}://`).join(' or ')})`,
    schema: z.url({ protocol }).transform((value) => value.replace(/\/+$/, '')),
  };
}

/** A URL that paths are appended to. Calls would leave out its user, and each picture’s address would show it to readers. */
const BASE_URL: Rule<string> = {
  expected: 'an absolute URL (http:// or https://) without user, query and fragment',
  schema: z
    .url({ protocol: /^https?$/, normalize: true })
    .regex(/^https?:\/\/[^/@?#]+\/[^?#]*$/)
    .transform((value) => value.replace(/\/+$/, '')),
};

const MIB = 1024 * 1024;
const FOLDER = text('a folder', /^[^\0]{1,1000}$/);
const HOST = text('an address or host name', /^[\w.:-]{1,255}$/);
const HTTP_URL = url('http', 'https');
const PORT = integer(0, 65_535);
const RATE_LIMIT = integer(0, 10_000_000);
const SECONDS = integer(0, 31_536_000);
const DRAIN_MS = integer(0, 600_000);

/** Unset, `DRAIN_MS` is this, or half of a shorter grace period. */
export const DEFAULT_DRAIN_MS = 1_000;

const CACHE_MB = integer(8, 65_536);
const CACHE_BYTES: Rule<number> = { ...CACHE_MB, schema: CACHE_MB.schema.transform((size) => size * MIB) };

const IMAGE_CACHE_MB = integer(1, 1_048_576);
const IMAGE_CACHE_BYTES: Rule<number> = {
  ...IMAGE_CACHE_MB,
  schema: IMAGE_CACHE_MB.schema.transform((size) => size * MIB),
};

const ON_OR_OFF: Rule<boolean> = {
  expected: 'on or off',
  schema: z.stringbool({ truthy: ['on'], falsy: ['off'], case: 'sensitive' }),
};

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOG_LEVEL: Rule<string> = { expected: `one of ${LOG_LEVELS.join(', ')}`, schema: z.enum(LOG_LEVELS) };

const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
const LOG_FORMAT: Rule<(typeof LOG_FORMATS)[number]> = {
  expected: `one of ${LOG_FORMATS.join(', ')}`,
  schema: z.enum(LOG_FORMATS),
};

const SHARE: Rule<number> = {
  expected: 'a number from 0 to 1',
  schema: z
    .string()
    .regex(/^(0|1|[01]?\.[0-9]{1,6})$/)
    .transform(Number)
    .pipe(z.number().min(0).max(1)),
};

const ORIGIN: Rule<string> = {
  expected: 'an origin such as https://www.example.com, without path',
  schema: z
    .url({ normalize: true })
    .regex(/^https?:\/\/[^/@]+\/$/)
    .transform((value) => value.slice(0, -1)),
};

/** Fastify's `trustProxy`, except for its hop count, which would let a client forge its IP. */
const TRUST_PROXY: Rule<boolean | string[]> = {
  expected: 'false, true, or a comma-separated list of addresses, CIDRs, cloudflare or fastly',
  schema: z.union([
    z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }),
    z
      .string()
      .transform((list) => list.split(',').flatMap((item) => networksOf(item.trim())))
      .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))),
  ]),
};

function networksOf(item: string): readonly string[] {
  return item === 'cloudflare' || item === 'fastly' ? CDN_NETWORKS[item] : [item];
}

/** At least as much as a random UUID holds. */
const SECRET = text('at least 16 visible characters', /^[\x21-\x7e]{16,512}$/);

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))
  );
}

/** Runs a check where the fields that it reads are valid, whatever others are, so that one start names every bad variable. */
function whereValid(...fields: string[]) {
  return ({ issues }: z.core.ParsePayload) => issues.every(({ path }) => !fields.includes(String(path?.[0])));
}

const ops = z
  .object({
    port: variable('OPS_PORT', '3001', 'port of the operators’ listener; 0 turns it off', PORT),
    host: variable(
      'OPS_HOST',
      '127.0.0.1',
      'address of the operators’ listener; anything but loopback needs OPS_TOKEN',
      HOST,
    ),
    token: optional('OPS_TOKEN', 'bearer token of the operators’ listener', SECRET, true),
    readToken: optional(
      'OPS_READ_TOKEN',
      'second bearer token of the operators’ listener, which may read and change nothing',
      SECRET,
      true,
    ),
  })
  .refine(({ token, readToken }) => readToken === null || (token !== null && token !== readToken), {
    path: ['readToken'],
    message: 'another token than OPS_TOKEN, which it needs beside it,',
    when: whereValid('token', 'readToken'),
  })
  .refine(({ port, host, token }) => port === 0 || token !== null || isLoopback(host), {
    path: ['token'],
    message: 'a token, because OPS_HOST is not loopback',
    when: whereValid('port', 'host', 'token'),
  });

const cdn = z
  .object({
    name: optional('CDN', 'the shared cache in front of all instances', {
      expected: `one of ${CDN_NAMES.join(', ')}`,
      schema: z.enum(CDN_NAMES),
    }),
    purgeUrl: optional('CDN_PURGE_URL', 'where purges go; the vendor’s API when unset', BASE_URL),
    token: optional(
      'CDN_TOKEN',
      'API token of the CDN',
      text('visible characters', /^[\x21-\x7e]{1,512}$/),
      true,
    ),
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

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** `key=value` pairs in the form of the W3C Baggage header, their values percent-encoded, as OpenTelemetry reads them. */
const PAIRS: Rule<Readonly<Record<string, string>>> = {
  expected: 'key=value pairs, comma-separated, values percent-encoded',
  schema: z.string().transform((list, { addIssue }) => {
    const pairs = list.split(',').map((pair) => /^\s*([!-<>-~]{1,255})=\s*([ -~]{0,4096}?)\s*$/.exec(pair));
    try {
      return Object.fromEntries(
        pairs.map((pair) => {
          const [, key = '', value = ''] = pair ?? [];
          if (key === '') throw new URIError('no pair');
          return [key, decodeURIComponent(value)];
        }),
      );
    } catch {
      addIssue({ code: 'custom', message: 'key=value pairs, comma-separated, values percent-encoded' });
      return z.NEVER;
    }
  }),
};

/** OpenTelemetry's own names and values (its specification, "Environment Variable Specification"). */
const tracing = z.object({
  endpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'base URL of an OTLP/HTTP receiver of traces; no traces when unset',
    HTTP_URL,
  ),
  headers: optional('OTEL_EXPORTER_OTLP_HEADERS', 'headers of each export, such as a token', PAIRS, true),
  serviceName: optional(
    'OTEL_SERVICE_NAME',
    'name of the service in traces',
    text('a name', /^[\x20-\x7e]{1,255}$/),
  ),
  resourceAttributes: optional(
    'OTEL_RESOURCE_ATTRIBUTES',
    'attributes of every span, such as deployment.environment.name=production',
    PAIRS,
  ),
  sampler: variable('OTEL_TRACES_SAMPLER', 'parentbased_always_on', 'which requests are traced', {
    expected: `one of ${SAMPLERS.join(', ')}`,
    schema: z.enum(SAMPLERS),
  }),
  samplerRatio: variable(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    'share of requests that the ratio samplers trace',
    SHARE,
  ),
  isDisabled: variable('OTEL_SDK_DISABLED', 'false', 'true: no traces, whatever else is set', {
    expected: 'true or false',
    schema: z.stringbool({ truthy: ['true'], falsy: ['false'] }),
  }),
});

/** Schema of the configuration. Each leaf is one environment variable, in the order of `.env.example`. */
export const configSchema = z
  .object({
    port: variable('PORT', '3000', 'port of the site', PORT),
    host: variable('HOST', '0.0.0.0', 'address that the site listens on', HOST),
    publicOrigin: optional(
      'PUBLIC_ORIGIN',
      'base of absolute links; http://localhost:PORT when unset',
      ORIGIN,
    ),
    apiHost: optional('API_HOST', 'base URL of the upstream API; the demo CMS when unset', BASE_URL),
    apiAuthorization: optional(
      'API_AUTHORIZATION',
      'value of the Authorization header of upstream calls; sent to API_HOST alone',
      text('a header value of visible characters', /^[\x20-\x7e]{1,4096}$/),
      true,
    ),
    imageHost: optional('IMAGE_HOST', 'base URL of images; /media of this origin when unset', BASE_URL),
    imageResize: variable(
      'IMAGE_RESIZE',
      'off',
      'serve pictures of IMAGE_HOST from /media of this origin, in the width and format that a browser wants; always on without IMAGE_HOST',
      ON_OR_OFF,
    ),
    imageCacheMaxBytes: variable(
      'IMAGE_CACHE_MB',
      '512',
      'bound of resized pictures on disk, below DATA_DIR',
      IMAGE_CACHE_BYTES,
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
    proxies: z.object({
      http: optional(
        'HTTP_PROXY',
        'proxy of outgoing http requests; loopback is never proxied',
        HTTP_URL,
        true,
      ),
      https: optional(
        'HTTPS_PROXY',
        'proxy of outgoing https requests; HTTP_PROXY when unset',
        HTTP_URL,
        true,
      ),
      except: optional(
        'NO_PROXY',
        'hosts that are asked directly, each with its subdomains',
        text('comma-separated host names, with or without a port, or *', /^[\w.:*,[\] -]{1,4096}$/),
      ),
    }),
    trustProxy: variable('TRUST_PROXY', 'false', 'proxies whose X-Forwarded-For is believed', TRUST_PROXY),
    clientIpHeader: optional(
      'CLIENT_IP_HEADER',
      'header with the client’s IP, such as CF-Connecting-IP; believed from TRUST_PROXY’s addresses alone',
      {
        expected: 'the name of a header',
        schema: z
          .string()
          .regex(/^[A-Za-z0-9-]{1,64}$/)
          .toLowerCase(),
      },
    ),
    originSecret: optional(
      'ORIGIN_SECRET',
      'requests without it in X-Origin-Secret are refused, health checks excepted: nobody goes around the CDN',
      SECRET,
      true,
    ),
    upstreamTimeoutMs: variable(
      'UPSTREAM_TIMEOUT_MS',
      '3000',
      'timeout of one upstream call in milliseconds, body included',
      integer(50, 60_000),
    ),
    cacheMaxBytes: variable(
      'CACHE_MAX_MB',
      '256',
      'bound of the in-process cache in MiB, data and rendered pages together',
      CACHE_BYTES,
    ),
    redisUrl: optional(
      'REDIS_URL',
      'Redis 7 or Valkey that several instances share: second-level cache, invalidation, rate limits, outbox',
      url('redis', 'rediss'),
      true,
    ),
    dataDir: variable(
      'DATA_DIR',
      './data',
      'outbox, cache snapshot, changed policies, sitemap archive; of one instance',
      FOLDER,
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
    ops,
    cdn,
    assetsDir: optional(
      'ASSETS_DIR',
      'folder that outlives a deploy and that all instances share: the hashed files of the last builds are kept and served from there',
      FOLDER,
    ),
    indexNowKey: optional(
      'INDEXNOW_KEY',
      'key of indexnow.org: search engines are told of new and changed articles',
      text('8 to 128 letters, digits or hyphens', /^[A-Za-z0-9-]{8,128}$/),
    ),
    revision: variable(
      'REVISION',
      'unknown',
      'source revision of this build, for the metric build_info; the image sets it',
      text('1 to 64 letters, digits, dots, hyphens', /^[\w.+-]{1,64}$/),
    ),
    tracing,
    logLevel: variable('LOG_LEVEL', 'info', 'pino level', LOG_LEVEL),
    logFormat: variable('LOG_FORMAT', 'auto', 'auto: pretty on a terminal, JSON elsewhere', LOG_FORMAT),
    logSample: variable('LOG_SAMPLE', '1', 'share of cache hits that get an access-log line', SHARE),
    drainMs: DRAIN_MS.schema
      .nullable()
      .default(null)
      .register(registry, {
        name: 'DRAIN_MS',
        description:
          'how long readiness responds 503, and requests are still served, before a graceful stop closes the socket, in milliseconds; less than SHUTDOWN_GRACE_MS',
        expected: DRAIN_MS.expected,
        fallback: String(DEFAULT_DRAIN_MS),
        isSecret: false,
      }),
    shutdownGraceMs: variable(
      'SHUTDOWN_GRACE_MS',
      '10000',
      'bound of a graceful shutdown in milliseconds',
      integer(0, 600_000),
    ),
    policies: z.object(
      byResource((resource) => {
        const prefix = `CACHE_${resource.toUpperCase()}`;
        const { ttl, swr, sie } = DEFAULT_POLICIES[resource];
        return z.object({
          ttl: variable(`${prefix}_TTL`, `${ttl}`, 'seconds a response is fresh', SECONDS),
          swr: variable(`${prefix}_SWR`, `${swr}`, 'then served stale while it is refreshed', SECONDS),
          sie: variable(`${prefix}_SIE`, `${sie}`, 'then served stale while the refresh fails', SECONDS),
        });
      }),
    ),
  })
  .refine(({ port, ops }) => ops.port === 0 || ops.port !== port, {
    path: ['ops', 'port'],
    message: 'another port than PORT',
    when: () => true,
  })
  .refine(({ drainMs, shutdownGraceMs }) => !drainMs || drainMs < shutdownGraceMs, {
    path: ['drainMs'],
    message: 'less than SHUTDOWN_GRACE_MS',
    when: ({ issues }) =>
      !issues.some(({ path }) => path?.[0] === 'drainMs' || path?.[0] === 'shutdownGraceMs'),
  });

/** Maps each variable, and returns the results in the shape of the configuration. */
export function mapVariables(
  map: (variable: Variable) => unknown,
  schema: z.core.$ZodType = configSchema,
): unknown {
  const variable = registry.get(schema);
  if (variable) return map(variable);
  const parts = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  return Object.fromEntries(parts.map(([key, part]) => [key, mapVariables(map, part)]));
}

/** Returns the variable of a path of the configuration. */
export function variableAt(path: readonly PropertyKey[]): Variable | undefined {
  let schema: z.core.$ZodType | undefined = configSchema;
  for (const key of path) if (schema instanceof z.ZodObject) schema = schema.shape[String(key)];
  return schema && registry.get(schema);
}

import { BlockList, isIP } from 'node:net';
import { DEFAULT_POLICIES, type Policy, RESOURCES, type Resource } from '#server/cache/resources.ts';
import { LOG_LEVELS, origin, text, trustProxy, url, type Variable, variable, whole } from './config-rules.ts';

/** The whole configuration, checked and frozen. Names and defaults: the table in the README. */
export interface Config {
  port: number;
  host: string;
  publicOrigin: string;
  /** Null: the embedded demo newsroom serves. */
  apiHost: string | null;
  imageHost: string | null;
  ipLookupUrl: string | null;
  optOutPath: string;
  /** As Fastify's `trustProxy`, without its hop count: that would let a client forge its address. */
  trustProxy: boolean | string[];
  upstreamTimeoutMs: number;
  policies: Record<Resource, Policy>;
  cacheMaxBytes: number;
  redisUrl: string | null;
  dataDir: string;
  rateLimit: { read: number; write: number; beacon: number };
  ops: { port: number; host: string; token: string | null };
  /** Null: only this build's files are served. */
  assetsDir: string | null;
  /** Null: search engines are told of nothing. */
  indexNowKey: string | null;
  logLevel: string;
  shutdownGraceMs: number;
}

/** One bad variable: what was given, what is expected. */
export interface ConfigProblem {
  name: string;
  given: string;
  expected: string;
}

/** Thrown with every bad variable at once, so that an operator mends them in one go. */
export class ConfigError extends Error {
  readonly problems: ConfigProblem[];

  constructor(problems: ConfigProblem[]) {
    super(
      problems.map(({ name, given, expected }) => `${name}: ${given} given, ${expected} expected`).join('\n'),
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Every variable but the cache's, which follow from `RESOURCES`. `.env.example` is written from here. */
export const variables = {
  port: variable('PORT', '3000', 'where readers connect', whole(0, 65535)),
  host: variable(
    'HOST',
    '0.0.0.0',
    'where readers connect',
    text('an address or host name', /^[\w.:-]{1,255}$/),
  ),
  publicOrigin: variable(
    'PUBLIC_ORIGIN',
    null,
    'base of absolute links; http://localhost:PORT when unset',
    origin,
  ),
  apiHost: variable(
    'API_HOST',
    null,
    'base URL of the upstream API; the demo newsroom when unset',
    url(['http:', 'https:']),
  ),
  imageHost: variable(
    'IMAGE_HOST',
    null,
    'base URL of images; /media of this origin when unset',
    url(['http:', 'https:']),
  ),
  ipLookupUrl: variable(
    'IP_LOOKUP_URL',
    null,
    'public-IP lookup; https://api.ipify.org?format=json when unset, or the demo newsroom’s own',
    url(['http:', 'https:']),
  ),
  optOutPath: variable(
    'OPT_OUT_PATH',
    '/api/optout/add',
    'upstream path of the opt-out form',
    text('a path that starts with /', /^\/[\w./~-]{1,200}$/),
  ),
  trustProxy: variable(
    'TRUST_PROXY',
    'false',
    'false, true, or a comma-separated list of proxies’ addresses or CIDRs',
    trustProxy,
  ),
  upstreamTimeoutMs: variable(
    'UPSTREAM_TIMEOUT_MS',
    '3000',
    'deadline of one upstream call in milliseconds, body included',
    whole(50, 60_000),
  ),
  cacheMaxMb: variable(
    'CACHE_MAX_MB',
    '256',
    'bound of the in-process cache, data and rendered pages together',
    whole(8, 65_536),
  ),
  redisUrl: variable(
    'REDIS_URL',
    null,
    'shared second cache tier for several instances',
    url(['redis:', 'rediss:']),
    true,
  ),
  dataDir: variable('DATA_DIR', './data', 'outbox and cache snapshot', text('a folder', /^[^\0]{1,1000}$/)),
  rateLimitRead: variable(
    'RATE_LIMIT_READ',
    '1200',
    'reads (pages, API, feeds, files) a minute for one client, an IPv4 address or an IPv6 /64; 0 turns it off',
    whole(0, 10_000_000),
  ),
  rateLimitWrite: variable(
    'RATE_LIMIT_WRITE',
    '20',
    'form posts a minute for one client; 0 turns it off',
    whole(0, 10_000_000),
  ),
  rateLimitBeacon: variable(
    'RATE_LIMIT_BEACON',
    '600',
    'beacons (views, Web Vitals) a minute for one client; 0 turns it off',
    whole(0, 10_000_000),
  ),
  opsPort: variable('OPS_PORT', '3001', 'the operators’ listener; 0 turns it off', whole(0, 65535)),
  opsHost: variable(
    'OPS_HOST',
    '127.0.0.1',
    'the operators’ listener; anything but loopback needs OPS_TOKEN',
    text('an address or host name', /^[\w.:-]{1,255}$/),
  ),
  opsToken: variable(
    'OPS_TOKEN',
    null,
    'bearer token of the operators’ listener',
    text('at least 16 visible characters', /^[\x21-\x7e]{16,512}$/),
    true,
  ),
  assetsDir: variable(
    'ASSETS_DIR',
    null,
    'folder that outlives a deploy: the hashed files of the last builds are kept and served from there',
    text('a folder', /^[^\0]{1,1000}$/),
  ),
  indexNowKey: variable(
    'INDEXNOW_KEY',
    null,
    'key of indexnow.org: search engines are told of new and changed articles',
    text('8 to 128 letters, digits or hyphens', /^[A-Za-z0-9-]{8,128}$/),
  ),
  logLevel: variable(
    'LOG_LEVEL',
    'info',
    'pino level',
    text(`one of ${LOG_LEVELS.join(', ')}`, new RegExp(`^(${LOG_LEVELS.join('|')})$`)),
  ),
  shutdownGraceMs: variable(
    'SHUTDOWN_GRACE_MS',
    '10000',
    'bound of a graceful stop in milliseconds',
    whole(0, 600_000),
  ),
} as const;

const AGE = whole(0, 31_536_000);

/** The three cache variables of one resource, in seconds. */
export function policyVariables(resource: Resource): Record<keyof Policy, Variable<number>> {
  const prefix = `CACHE_${resource.toUpperCase()}`;
  const { ttl, swr, sie } = DEFAULT_POLICIES[resource];
  return {
    ttl: variable(`${prefix}_TTL`, String(ttl), 'seconds an answer is fresh', AGE),
    swr: variable(`${prefix}_SWR`, String(swr), 'then served stale while it is refreshed', AGE),
    sie: variable(`${prefix}_SIE`, String(sie), 'then served stale while the refresh fails', AGE),
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const family = isIP(host);
  return host === 'localhost' || (family !== 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4'));
}

/**
 * Reads the environment. An empty variable counts as unset.
 * Throws a `ConfigError` with every bad variable.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: ConfigProblem[] = [];

  function optional<T>({ name, expected, secret, fallback, parse }: Variable<T>): T | null {
    const given = env[name]?.trim() || fallback;
    if (given === null) return null;
    const value = parse(given);
    if (value === undefined)
      problems.push({ name, given: secret ? '(hidden)' : JSON.stringify(given), expected });
    return value ?? null;
  }

  function required<T>(rule: Variable<T>, standIn: T): T {
    return optional(rule) ?? standIn;
  }

  function policy(resource: Resource): Policy {
    const { ttl, swr, sie } = policyVariables(resource);
    return { ttl: required(ttl, 0), swr: required(swr, 0), sie: required(sie, 0) };
  }

  const port = required(variables.port, 3000);
  const config: Config = {
    port,
    host: required(variables.host, '0.0.0.0'),
    publicOrigin: optional(variables.publicOrigin) ?? `http://localhost:${port}`,
    apiHost: optional(variables.apiHost),
    imageHost: optional(variables.imageHost),
    ipLookupUrl: optional(variables.ipLookupUrl),
    optOutPath: required(variables.optOutPath, ''),
    trustProxy: required(variables.trustProxy, false),
    upstreamTimeoutMs: required(variables.upstreamTimeoutMs, 3000),
    policies: mapResources(policy),
    cacheMaxBytes: required(variables.cacheMaxMb, 256) * 1024 * 1024,
    redisUrl: optional(variables.redisUrl),
    dataDir: required(variables.dataDir, './data'),
    rateLimit: {
      read: required(variables.rateLimitRead, 1200),
      write: required(variables.rateLimitWrite, 20),
      beacon: required(variables.rateLimitBeacon, 600),
    },
    ops: {
      port: required(variables.opsPort, 3001),
      host: required(variables.opsHost, '127.0.0.1'),
      token: optional(variables.opsToken),
    },
    assetsDir: optional(variables.assetsDir),
    indexNowKey: optional(variables.indexNowKey),
    logLevel: required(variables.logLevel, 'info'),
    shutdownGraceMs: required(variables.shutdownGraceMs, 10_000),
  };
  if (config.ops.port !== 0 && config.ops.port === config.port) {
    problems.push({ name: 'OPS_PORT', given: String(config.ops.port), expected: 'another port than PORT' });
  }
  if (config.ops.port !== 0 && config.ops.token === null && !isLoopback(config.ops.host)) {
    problems.push({
      name: 'OPS_TOKEN',
      given: 'nothing',
      expected: `a token, because OPS_HOST ${config.ops.host} is not loopback`,
    });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

function mapResources<T>(value: (resource: Resource) => T): Record<Resource, T> {
  const entries = RESOURCES.map((resource) => [resource, value(resource)] as const);
  return Object.fromEntries(entries) as Record<Resource, T>;
}

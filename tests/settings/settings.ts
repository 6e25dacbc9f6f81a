import { join } from 'node:path';
import { coveringArray, type Row } from './covering-array.ts';

/** Where the services are that the configurations name. */
export interface Services {
  api: string;
  /** A picture host that has every picture at every path. */
  pictures: string;
  redis: string;
  wordpress: string;
  purges: string;
  traces: string;
  /** A folder of the test's own, another one for each configuration. */
  dir: string;
}

type Environment = Record<string, string>;

/** What operators may set, by subject: the values, and the environment that each of them means. */
const SETTINGS: Record<string, Record<string, (services: Services) => Environment>> = {
  upstream: {
    'demo CMS': () => ({}),
    API_HOST: ({ api }) => ({ API_HOST: api, IP_LOOKUP_URL: `${api}/lookup?format=json` }),
    'API_HOST with a token': ({ api }) => ({
      API_HOST: api,
      IP_LOOKUP_URL: `${api}/lookup?format=json`,
      API_AUTHORIZATION: 'Bearer of-the-upstream',
      OPT_OUT_PATH: '/api/optout/add',
    }),
    WORDPRESS_URL: ({ wordpress, api }) => ({
      WORDPRESS_URL: wordpress,
      WORDPRESS_SECTIONS: 'featured=articles',
      IP_LOOKUP_URL: `${api}/lookup?format=json`,
    }),
  },
  SITE_DIR: {
    unset: () => ({}),
    set: () => ({ SITE_DIR: join(import.meta.dirname, '../../examples/site'), SITE_NOINDEX: 'true' }),
  },
  IMAGE_HOST: {
    unset: () => ({}),
    'without a path': ({ pictures }) => ({ IMAGE_HOST: pictures }),
    'with a path': ({ pictures }) => ({ IMAGE_HOST: `${pictures}/cdn/images` }),
  },
  IMAGE_RESIZE: {
    unset: () => ({}),
    off: () => ({ IMAGE_RESIZE: 'off' }),
    on: () => ({ IMAGE_RESIZE: 'on', IMAGE_CACHE_MB: '16' }),
  },
  PUBLIC_ORIGIN: {
    unset: () => ({}),
    https: () => ({ PUBLIC_ORIGIN: 'https://www.example.com' }),
  },
  TRUST_PROXY: {
    false: () => ({}),
    true: () => ({ TRUST_PROXY: 'true' }),
    list: () => ({ TRUST_PROXY: '127.0.0.1,10.0.0.0/8,cloudflare', CLIENT_IP_HEADER: 'CF-Connecting-IP' }),
  },
  CDN: {
    unset: () => ({}),
    varnish: ({ purges }) => ({ CDN: 'varnish', CDN_PURGE_URL: purges }),
    fastly: ({ purges }) => ({ CDN: 'fastly', CDN_PURGE_URL: purges, CDN_TOKEN: 'token', CDN_ZONE: 'zone' }),
    cloudflare: ({ purges }) => ({
      CDN: 'cloudflare',
      CDN_PURGE_URL: purges,
      CDN_TOKEN: 'token',
      CDN_ZONE: 'zone',
    }),
  },
  ORIGIN_SECRET: {
    unset: () => ({}),
    set: () => ({ ORIGIN_SECRET }),
  },
  REDIS_URL: {
    unset: () => ({}),
    set: ({ redis }) => ({ REDIS_URL: redis }),
    'and REDIS_CACHE_URL': ({ redis }) => ({ REDIS_URL: redis, REDIS_CACHE_URL: `${redis}/1` }),
  },
  CACHE: {
    default: () => ({}),
    'nothing fresh': () => ({
      CACHE_MAX_MB: '32',
      CACHE_ARTICLE_TTL: '0',
      CACHE_HOME_SWR: '0',
      CACHE_ADS_SIE: '0',
    }),
  },
  RATE_LIMIT: {
    default: () => ({}),
    off: () => ({ RATE_LIMIT_READ: '0', RATE_LIMIT_WRITE: '0', RATE_LIMIT_BEACON: '0' }),
  },
  OPS_PORT: {
    open: () => ({}),
    closed: () => ({ OPS_PORT: '0' }),
  },
  OPS_HOST: {
    loopback: () => ({}),
    all: () => ({ OPS_HOST: '0.0.0.0' }),
  },
  OPS_TOKEN: {
    unset: () => ({}),
    set: () => ({ OPS_TOKEN, OPS_READ_TOKEN: 'the-token-that-reads' }),
    'and OPS_PURGE_TOKEN': () => ({ OPS_TOKEN, OPS_PURGE_TOKEN }),
  },
  ASSETS_DIR: {
    unset: () => ({}),
    set: ({ dir }) => ({ ASSETS_DIR: `${dir}/assets` }),
  },
  OTEL: {
    unset: () => ({}),
    set: ({ traces }) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: traces, OTEL_TRACES_SAMPLER: 'always_on' }),
  },
  LOG: {
    json: () => ({ LOG_FORMAT: 'json' }),
    pretty: () => ({ LOG_FORMAT: 'pretty', LOG_SAMPLE: '0.5' }),
    debug: () => ({ LOG_LEVEL: 'debug', LOG_SAMPLE: '0' }),
  },
  stop: {
    default: () => ({}),
    short: () => ({ DRAIN_MS: '0', SHUTDOWN_GRACE_MS: '20000' }),
  },
};

export const ORIGIN_SECRET = 'of-the-cdn-and-nobody-else';
export const OPS_TOKEN = 'the-token-that-may-do-all';
export const OPS_PURGE_TOKEN = 'the-token-that-purges';

/** Returns whether the configuration accepts the settings that a row has. */
function isAllowed(row: Row): boolean {
  const isOpen = row['OPS_HOST'] === 'all' && row['OPS_TOKEN'] === 'unset';
  const hasTwoImageHosts = row['upstream'] === 'WORDPRESS_URL' && (row['IMAGE_HOST'] ?? 'unset') !== 'unset';
  return !isOpen && !hasTwoImageHosts;
}

export const PARAMETERS = Object.entries(SETTINGS).map(([name, values]) => ({
  name,
  values: Object.keys(values),
}));

/** Returns configurations in which every allowed pair of settings stands together, each with a name. */
export function configurations(): { name: string; row: Row }[] {
  return coveringArray(PARAMETERS, isAllowed).map((row) => ({
    row,
    name: PARAMETERS.filter(({ name, values }) => row[name] !== values[0])
      .map(({ name }) => `${name} ${row[name]}`)
      .join(', '),
  }));
}

/** Returns the environment of a configuration. */
export function environmentOf(row: Row, services: Services): Environment {
  return Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => SETTINGS[name]?.[value]?.(services) ?? {}),
  );
}

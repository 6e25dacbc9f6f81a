import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CDN_NETWORKS } from '#server/cdn/cdn-networks.ts';
import { RESOURCES } from '#shared/models/resources-and-policies.ts';
import { allVariables, ConfigError, readConfig } from './config.ts';

const root = join(import.meta.dirname, '../..');

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

describe('readConfig', () => {
  it('serves the demo CMS on port 3000 when nothing is set', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      publicOrigin: 'http://localhost:3000',
      apiHost: null,
      imageHost: null,
      imageResize: false,
      imageCacheMaxBytes: 512 * 1024 * 1024,
      optOutPath: '/api/optout/add',
      trustProxy: false,
      upstreamTimeoutMs: 3000,
      cacheMaxBytes: 256 * 1024 * 1024,
      dataDir: './data',
      rateLimit: { read: 1200, write: 20, beacon: 600 },
      ops: { port: 3001, host: '127.0.0.1', token: null },
      logLevel: 'info',
      shutdownGraceMs: 10_000,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('takes the public origin from the port when only that is set', () => {
    expect(readConfig({ PORT: '8080' }).publicOrigin).toBe('http://localhost:8080');
  });

  it('reads every cache age of every resource', () => {
    for (const resource of RESOURCES) {
      const name = resource.toUpperCase();
      const { policies } = readConfig({
        [`CACHE_${name}_TTL`]: '1',
        [`CACHE_${name}_SWR`]: '2',
        [`CACHE_${name}_SIE`]: '3',
      });
      expect(policies[resource]).toEqual({ ttl: 1, swr: 2, sie: 3 });
    }
  });

  it.each([
    ['true', true],
    ['false', false],
    ['10.0.0.0/8, 192.0.2.1,2001:db8::/32', ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']],
    ['cloudflare', [...CDN_NETWORKS.cloudflare]],
    ['127.0.0.1, fastly', ['127.0.0.1', ...CDN_NETWORKS.fastly]],
  ])('reads TRUST_PROXY=%s', (given, expected) => {
    expect(readConfig({ TRUST_PROXY: given }).trustProxy).toEqual(expected);
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '3000.5'],
    ['PUBLIC_ORIGIN', 'www.example.com'],
    ['PUBLIC_ORIGIN', 'https://www.example.com/path'],
    ['API_HOST', 'ftp://cms.example.com'],
    ['API_HOST', 'https://user:password@cms.example.com'],
    ['API_HOST', 'https://cms.example.com/v2?key=1'],
    ['IMAGE_HOST', 'https://user:password@images.example.com'],
    ['IMAGE_HOST', 'https://images.example.com#top'],
    ['CDN_PURGE_URL', 'http://user:password@varnish.example.com'],
    ['IMAGE_HOST', 'images'],
    ['IMAGE_RESIZE', 'yes'],
    ['IMAGE_CACHE_MB', '0'],
    ['WORDPRESS_URL', 'example.org'],
    ['WORDPRESS_URL', 'https://user:password@example.org'],
    ['WORDPRESS_SECTIONS', 'interviews'],
    ['WORDPRESS_SECTIONS', 'interview=a=b'],
    ['WORDPRESS_SECTIONS', 'a/b=c'],
    ['SUBMISSIONS_URL', 'mailto:editor@example.com'],
    ['IP_LOOKUP_URL', 'file:///etc/passwd'],
    ['IP_LOOKUP_URL', 'https://user:password@lookup.example.com/'],
    ['IP_LOOKUP_URL', 'https://lookup.example.com/#top'],
    ['OPT_OUT_PATH', 'api/optout'],
    ['OPT_OUT_PATH', '/'],
    ['OPT_OUT_PATH', '//cms.example.com/api/optout'],
    ['OPT_OUT_PATH', '/api//optout'],
    ['OPT_OUT_PATH', '/api/../optout'],
    ['OPT_OUT_PATH', '/api/.'],
    ['OPT_OUT_PATH', `/${'x'.repeat(201)}`],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example.com/?key=1'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.1,::/0'],
    ['TRUST_PROXY', 'TRUE'],
    ['TRUST_PROXY', 'akamai'],
    ['CLIENT_IP_HEADER', 'True-Client-IP: 1'],
    ['ORIGIN_SECRET', 'short'],
    ['API_AUTHORIZATION', 'Bearer a\r\nx-own: header'],
    ['OPS_READ_TOKEN', 'a-token-without-OPS_TOKEN'],
    ['DRAIN_MS', '-1'],
    ['CDN', 'akamai'],
    ['LOG_FORMAT', 'xml'],
    ['LOG_SAMPLE', '1.5'],
    ['TRUST_PROXY', '192.0.2.1,'],
    ['PUBLIC_ORIGIN', 'https://user@www.example.com'],
    ['OPS_HOST', 'two words'],
    ['OPS_PORT', '3000'],
    ['UPSTREAM_TIMEOUT_MS', '0'],
    ['CACHE_TOPIC_TTL', '-1'],
    ['CACHE_ADS_SWR', 'an hour'],
    ['CACHE_MAX_MB', '1'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis:localhost'],
    ['REDIS_URL', 'redis://'],
    ['REDIS_URL', 'redis://localhost/cache'],
    ['REDIS_URL', 'redis://:100%@localhost'],
    ['HTTP_PROXY', 'http://user:100%@proxy.example.com'],
    ['RATE_LIMIT_READ', 'none'],
    ['OPS_TOKEN', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_GRACE_MS', '1s'],
    ['API_HOST', 'https://a.example b.example'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20a%0a'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'http://collector=token'],
  ])('refuses %s=%s in one line that names it, what was given and what is expected', (name, given) => {
    const problems = problemsOf({ [name]: given });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: .+ given, .+ expected$`));
  });

  it('takes WORDPRESS_URL in place of API_HOST and IMAGE_HOST, and not beside them', () => {
    const WORDPRESS_URL = 'https://example.org/blog/';
    expect(
      readConfig({ WORDPRESS_URL, WORDPRESS_SECTIONS: 'interview=interviews, q-and-a,;podcasts=podcast;' }),
    ).toMatchObject({
      apiHost: null,
      wordpressUrl: 'https://example.org/blog',
      wordpressSections: 'interview=interviews, q-and-a,;podcasts=podcast;',
      submissionsUrl: null,
    });
    expect(problemsOf({ WORDPRESS_URL, API_HOST: 'https://cms.example.com' })).toEqual([
      'WORDPRESS_URL: "https://example.org/blog/" given, either it or API_HOST expected',
    ]);
    expect(problemsOf({ WORDPRESS_URL, IMAGE_HOST: 'https://images.example.com' })).toHaveLength(1);
  });

  it('bounds the cache by what the process can hold: a larger one is refused, the default adapts', () => {
    const MIB = 1024 * 1024;
    const read = (env: Record<string, string>, machine: number) =>
      readConfig(env, undefined, { heap: 400 * MIB, machine: machine * MIB }).cacheMaxBytes / MIB;
    expect(read({}, 4_096)).toBe(256);
    expect(read({}, 512)).toBe(167);
    expect(read({ CACHE_MAX_MB: '300' }, 4_096)).toBe(300);
    expect(() => read({ CACHE_MAX_MB: '300' }, 512)).toThrow(
      /^CACHE_MAX_MB: "300" given, at most 167, what this process can hold \(400 MiB of heap, 512 MiB of memory\), expected$/,
    );
    expect(() => read({ PORT: 'x', CACHE_MAX_MB: '300' }, 512)).toThrow(
      /^PORT: .+\nCACHE_MAX_MB: "300" given/,
    );
  });

  it('names every bad variable at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'y', CACHE_TAG_TTL: 'z' })).toHaveLength(3);
    const ofEachKind = { PUBLIC_ORIGIN: 'x', OPS_HOST: '0.0.0.0' };
    expect(problemsOf(ofEachKind).map((line) => line.split(':')[0])).toEqual(['PUBLIC_ORIGIN', 'OPS_TOKEN']);
    expect(problemsOf({ OPS_HOST: '0.0.0.0', OPS_TOKEN: 'short' })).toHaveLength(1);
    const someOfCdn = { CDN: 'fastly', CDN_ZONE: 'no zone' };
    expect(problemsOf(someOfCdn).map((line) => line.split(':')[0])).toEqual(['CDN_ZONE', 'CDN_TOKEN']);
    const someOfOps = { OPS_HOST: '0.0.0.0', OPS_READ_TOKEN: 'short' };
    expect(problemsOf(someOfOps).map((line) => line.split(':')[0])).toEqual(['OPS_READ_TOKEN', 'OPS_TOKEN']);
    const samePort = { PORT: '3001', LOG_LEVEL: 'y' };
    expect(problemsOf(samePort).map((line) => line.split(':')[0])).toEqual(['LOG_LEVEL', 'OPS_PORT']);
  });

  it('says what is expected of a variable', () => {
    expect(problemsOf({ PORT: '70000' })).toEqual([
      'PORT: "70000" given, a whole number from 0 to 65535 expected',
    ]);
  });

  it.each(['/api/optout/add', '/add/', '/.well-known/opt-out.v2', '/a..b/~c'])(
    'takes OPT_OUT_PATH=%s',
    (path) => {
      expect(readConfig({ OPT_OUT_PATH: path }).optOutPath).toBe(path);
    },
  );

  it('takes URLs of other services with all that their clients use', () => {
    const { ipLookupUrl, redisUrl, proxies, tracing } = readConfig({
      IP_LOOKUP_URL: 'https://lookup.example.com/?format=json&of=a/',
      REDIS_URL: 'rediss://user:p%40ss@[::1]:6380/12?family=6',
      HTTP_PROXY: 'http://user:password@proxy.example.com:3128',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/',
    });
    expect(ipLookupUrl).toBe('https://lookup.example.com/?format=json&of=a/');
    expect(redisUrl).toBe('rediss://user:p%40ss@[::1]:6380/12?family=6');
    expect(proxies.http).toBe('http://user:password@proxy.example.com:3128/');
    expect(tracing.endpoint).toBe('https://collector.example.com/otlp');
  });

  it.each([
    'http://cms_1:8080',
    'http://[::1]:8080',
    'https://cms.example.com.',
    'http://10.0.0.1',
    'https://cdn.example.com/width=80,quality=75/https://cms.example.com',
  ])('takes API_HOST=%s', (url) => {
    expect(readConfig({ API_HOST: url }).apiHost).toBe(url);
  });

  it('takes names of attributes that no header could have', () => {
    const attributes = 'app.kubernetes.io/name=site,url:full=a%20b';
    const { tracing } = readConfig({ OTEL_RESOURCE_ATTRIBUTES: attributes });
    expect(tracing.resourceAttributes).toEqual({ 'app.kubernetes.io/name': 'site', 'url:full': 'a b' });
  });

  it('takes a base URL with any path', () => {
    const { apiHost, imageHost } = readConfig({
      API_HOST: 'https://cms.example.com/v2/',
      IMAGE_HOST: 'https://images.example.com/@team',
    });
    expect(apiHost).toBe('https://cms.example.com/v2');
    expect(imageHost).toBe('https://images.example.com/@team');
  });

  it.each([
    ['OPS_TOKEN', 'hunter2'],
    ['OPS_READ_TOKEN', 'hunter2'],
    ['ORIGIN_SECRET', 'hunter2'],
    ['API_AUTHORIZATION', 'Bearer\u2028hunter2'],
    ['REDIS_URL', 'http://hunter2'],
    ['API_HOST', 'ftp://user:hunter2@cms.example.com'],
    ['IMAGE_HOST', '//user:hunter2/@images.example.com'],
    ['PUBLIC_ORIGIN', 'https://user:hunter2@www.example.com'],
  ])('never repeats a secret of %s', (name, given) => {
    const problems = problemsOf({ [name]: given });
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toContain('hunter2');
  });

  it('wants a token for operators beyond loopback', () => {
    expect(problemsOf({ OPS_HOST: '0.0.0.0' })[0]).toContain('OPS_TOKEN');
    expect(problemsOf({ OPS_HOST: '0.0.0.0', OPS_TOKEN: 'a-long-enough-token' })).toEqual([]);
    expect(problemsOf({ OPS_HOST: '0.0.0.0', OPS_PORT: '0' })).toEqual([]);
    expect(problemsOf({ OPS_HOST: '::1' })).toEqual([]);
  });

  it('requires what a CDN needs for its purges', () => {
    expect(problemsOf({ CDN: 'varnish' })[0]).toContain('CDN_PURGE_URL: nothing given');
    expect(problemsOf({ CDN: 'varnish', CDN_PURGE_URL: 'http://127.0.0.1:6081' })).toEqual([]);
    for (const CDN of ['fastly', 'cloudflare']) {
      const names = problemsOf({ CDN }).map((line) => line.split(':')[0]);
      expect(names).toEqual(['CDN_TOKEN', 'CDN_ZONE']);
      expect(problemsOf({ CDN, CDN_TOKEN: 'token', CDN_ZONE: 'zone1' })).toEqual([]);
    }
  });

  it('requires the read-only token to be another one', () => {
    const token = 'a-long-enough-token';
    expect(problemsOf({ OPS_TOKEN: token, OPS_READ_TOKEN: `${token}-2` })).toEqual([]);
    expect(problemsOf({ OPS_TOKEN: token, OPS_READ_TOKEN: token })[0]).toContain('OPS_READ_TOKEN: (hidden)');
  });
});

describe('DRAIN_MS', () => {
  const drainMs = (env: Record<string, string>) => readConfig(env).drainMs;

  it('is a second, or half of a shorter grace period', () => {
    expect(drainMs({})).toBe(1_000);
    expect(drainMs({ SHUTDOWN_GRACE_MS: '1500' })).toBe(750);
    expect(drainMs({ SHUTDOWN_GRACE_MS: '0' })).toBe(0);
  });

  it('is honoured below SHUTDOWN_GRACE_MS: as much is an error, one among others', () => {
    expect(drainMs({ DRAIN_MS: '9000' })).toBe(9_000);
    expect(drainMs({ DRAIN_MS: '15000', SHUTDOWN_GRACE_MS: '30000' })).toBe(15_000);
    expect(problemsOf({ DRAIN_MS: '10000', LOG_LEVEL: 'loud' }).at(-1)).toBe(
      'DRAIN_MS: "10000" given, less than SHUTDOWN_GRACE_MS expected',
    );
    expect(problemsOf({ DRAIN_MS: '10000', LOG_LEVEL: 'loud' })).toHaveLength(2);
    expect(problemsOf({ DRAIN_MS: '5001', SHUTDOWN_GRACE_MS: 'soon' })).toEqual([
      'SHUTDOWN_GRACE_MS: "soon" given, a whole number from 0 to 600000 expected',
    ]);
  });
});

describe('a secret in a file', () => {
  const files: Record<string, string> = {
    '/run/secrets/ops-token': 'a-long-enough-token\n',
    '/run/short': 'hunter2',
    '/run/empty': '\n',
  };
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error('no such file');
    return text;
  };
  const problemOf = (env: Record<string, string>) => {
    try {
      readConfig(env, readFile);
      return null;
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  };

  it('is read without the line feed at its end', () => {
    const env = { OPS_HOST: '0.0.0.0', OPS_TOKEN_FILE: '/run/secrets/ops-token' };
    expect(readConfig(env, readFile).ops.token).toBe('a-long-enough-token');
  });

  it('is one line where it cannot be read, is empty, is bad, or is given twice', () => {
    expect(problemOf({ ORIGIN_SECRET_FILE: '/run/empty', OPS_READ_TOKEN_FILE: '/run/empty' })).toBe(
      [
        'ORIGIN_SECRET_FILE: "/run/empty" given, the path of a file that is not empty expected',
        'OPS_READ_TOKEN_FILE: "/run/empty" given, the path of a file that is not empty expected',
      ].join('\n'),
    );
    expect(problemOf({ OPS_HOST: '0.0.0.0', OPS_TOKEN_FILE: '/run/none' })).toBe(
      'OPS_TOKEN_FILE: "/run/none" given, the path of a readable file expected',
    );
    expect(problemOf({ OPS_TOKEN_FILE: '/run/short' })).toBe(
      'OPS_TOKEN: (hidden) given, at least 16 visible characters expected',
    );
    expect(problemOf({ OPS_TOKEN: 'a-long-enough-token', OPS_TOKEN_FILE: '/run/secrets/ops-token' })).toBe(
      'OPS_TOKEN_FILE: "/run/secrets/ops-token" given, either it or OPS_TOKEN expected',
    );
  });

  it('is for secrets alone', () => {
    expect(readConfig({ PORT_FILE: '/run/none' }, readFile).port).toBe(3000);
  });
});

describe('.env.example', () => {
  it('names every variable of the contract', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8');
    const names = allVariables().map(({ name }) => name);
    expect(names).toContain('CACHE_SUBCATEGORIES_SIE');
    for (const name of names) expect(example).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
  });
});

describe('the process', () => {
  it('stops with exit code 1 and one line per bad variable before it listens', async () => {
    const port = await freePort();
    const { status, stderr } = spawnSync(process.execPath, ['server/main.ts'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PORT: String(port), UPSTREAM_TIMEOUT_MS: 'soon', LOG_LEVEL: 'loud' },
    });
    expect(status).toBe(1);
    expect(
      stderr
        .trim()
        .split('\n')
        .map((text) => text.split(':')[0]),
    ).toEqual(['UPSTREAM_TIMEOUT_MS', 'LOG_LEVEL']);
    expect(stderr).not.toContain('    at ');
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

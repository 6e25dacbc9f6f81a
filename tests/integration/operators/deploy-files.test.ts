import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { canonicalUrl, pages } from '#client/entry-server.tsx';
import { readConfig } from '#server/config/config.ts';
import { createPageTable } from '#server/render/page-table.ts';
import { configurationNames } from './variable-names.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFile(join(root, path), 'utf8');

const Service = z.object({
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.array(z.strictObject({ path: z.string(), required: z.boolean() })).optional(),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
  build: z.object({ args: z.record(z.string(), z.string()) }).optional(),
  networks: z.undefined().optional(),
  stop_grace_period: z.string().optional(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  mem_limit: z.string().regex(/^\d+m$/),
  pids_limit: z.number(),
  restart: z.literal('unless-stopped'),
  logging: z.object({ options: z.object({ 'max-size': z.string(), 'max-file': z.string() }) }),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.strictObject({ default: z.strictObject({ name: z.string() }) }),
});
const PrometheusConfig = z.object({
  rule_files: z.array(z.string()),
  scrape_configs: z.tuple([
    z.object({
      job_name: z.literal('site'),
      authorization: z.object({ credentials_file: z.string() }),
      static_configs: z.tuple([z.object({ targets: z.tuple([z.string()]) })]),
    }),
  ]),
});

const readCompose = async () => Compose.parse(parse(await read('compose.yaml'), { merge: true }));

describe('compose', () => {
  it('starts the site with variables that there are, and files that are there', async () => {
    const { services, volumes } = await readCompose();
    const known = configurationNames();
    for (const name of Object.keys(services['site']?.environment ?? {})) expect(known).toContain(name);
    const sources = Object.values(services).flatMap((service) =>
      service.volumes.map((mount) => mount.split(':')[0] ?? ''),
    );
    for (const source of sources) {
      if (source.startsWith('./')) expect(existsSync(join(root, source)), source).toBe(true);
      else expect(Object.keys(volumes)).toContain(source);
    }
    const { port, shutdownGraceMs, ops } = readConfig({});
    expect(services['site']?.ports).toEqual([`${port}:${port}`, `127.0.0.1:${ops.port}:${ops.port}`]);
    expect(Number.parseInt(services['site']?.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(
      shutdownGraceMs,
    );
  });

  it('gives the site further variables of a file that need not be there, and that neither git nor the image takes', async () => {
    const { services } = await readCompose();
    expect(services['site']?.env_file).toEqual([{ path: '.env', required: false }]);
    // It may have the whole of `.env.example`, whose defaults are not the image's.
    const image = (await read('Dockerfile')).match(/ DATA_DIR=(\S+)/)?.[1];
    expect(services['site']?.environment).toMatchObject({ DATA_DIR: image, REVISION: expect.any(String) });
    expect((await read('.gitignore')).split('\n')).toContain('.env');
    expect((await read('.dockerignore')).split('\n')).toContain('.env*');
  });

  it('gives secrets as files that are mounted, and none in an environment', async () => {
    const { services, secrets } = await readCompose();
    for (const service of Object.values(services)) {
      const files = service.secrets.map((name) => `/run/secrets/${name}`);
      for (const name of service.secrets) expect(Object.keys(secrets)).toContain(name);
      for (const [name, value] of Object.entries(service.environment)) {
        if (name.endsWith('_FILE')) expect(files).toContain(value);
        else expect(name).not.toMatch(/TOKEN|PASSWORD|SECRET|REDIS_URL/);
      }
    }
    expect(services['grafana']?.environment).toHaveProperty('GF_SECURITY_ADMIN_PASSWORD__FILE');
  });

  it('has its secrets created once, random, in a folder that neither git nor the image takes', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'secrets-'));
    try {
      await cp(join(root, 'deploy/compose/create-secrets.sh'), join(dir, 'create-secrets.sh'));
      const create = () => execFileSync('sh', [join(dir, 'create-secrets.sh')]);
      const secret = (name: string) => readFile(join(dir, 'secrets', name), 'utf8');
      create();
      const { secrets } = await readCompose();
      const first = await Promise.all(Object.keys(secrets).map(secret));
      create();
      expect(await Promise.all(Object.keys(secrets).map(secret))).toEqual(first);
      for (const [name, { file }] of Object.entries(secrets))
        expect(file).toBe(`deploy/compose/secrets/${name}`);
      const password = await secret('redis-password');
      expect(password).toMatch(/^[0-9a-f]{64}$/);
      const [messages, cache] = [await secret('valkey-conf'), await secret('valkey-cache-conf')];
      for (const conf of [messages, cache]) expect(conf).toContain(`requirepass ${password}\n`);
      // A queue that may be evicted loses messages, and its library warns of it on standard error.
      expect(messages).toMatch(/^appendonly yes$.*^maxmemory-policy noeviction$/ms);
      expect(cache).toMatch(/^maxmemory-policy allkeys-lru$/m);
      const files: Record<string, string> = {
        OPS_TOKEN_FILE: await secret('ops-token'),
        OPS_READ_TOKEN_FILE: await secret('ops-read-token'),
        OPS_PURGE_TOKEN_FILE: await secret('ops-purge-token'),
        REDIS_URL_FILE: await secret('redis-url'),
        REDIS_CACHE_URL_FILE: await secret('redis-cache-url'),
      };
      const names = Object.fromEntries(Object.keys(files).map((name) => [name, name]));
      const config = readConfig({ OPS_HOST: '0.0.0.0', ...names }, (path) => files[path] ?? '');
      expect(config.redisUrl).toBe(`redis://:${password}@valkey:6379`);
      expect(config.redisCacheUrl).toBe(`redis://:${password}@valkey-cache:6379`);
      expect(config.ops.token).toMatch(/^[0-9a-f]{64}$/);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
    for (const ignored of ['.gitignore', '.dockerignore'])
      expect((await read(ignored)).split('\n')).toContain('deploy/compose/secrets');
  });

  it('builds with the version and the revision of its environment', async () => {
    const { services } = await readCompose();
    const { args } = services['site']?.build ?? { args: {} };
    const declared = [...(await read('Dockerfile')).matchAll(/^ARG (VERSION|REVISION)=unknown$/gm)];
    expect(Object.keys(args).toSorted()).toEqual(declared.map(([, name]) => name).toSorted());
    for (const [name, value] of Object.entries(args)) expect(value).toBe(`\${${name}:-unknown}`);
    const text = await read('compose.yaml');
    expect(text).toContain('REVISION=$(git rev-parse HEAD) ');
  });

  it('has a network that a CMS can join, where it reaches the purge call with a token that may only purge', async () => {
    const { services, networks } = await readCompose();
    expect(services['site']?.environment).toMatchObject({
      OPS_HOST: '0.0.0.0',
      OPS_PURGE_TOKEN_FILE: '/run/secrets/ops-purge-token',
    });
    const text = await read('compose.yaml');
    expect(text).toContain(`docker network connect ${networks.default.name} `);
    expect(text).toContain(`http://site:${readConfig({}).ops.port}/cache/purge`);
  });

  it('gives the site the memory that the docs say', async () => {
    const { services } = await readCompose();
    const [, documented] =
      /container (\d+) MB with the default cache/.exec(await read('docs/operating/several-instances.md')) ??
      [];
    expect(Number.parseInt(services['site']?.mem_limit ?? '', 10)).toBeGreaterThanOrEqual(Number(documented));
  });

  it('has Prometheus scrape the site with the token that may only read, and read both files of rules', async () => {
    const { services } = await readCompose();
    const { rule_files, scrape_configs } = PrometheusConfig.parse(
      parse(await read('deploy/compose/prometheus.yml')),
    );
    const mounted = services['prometheus']?.volumes.map((mount) => mount.split(':')[1]);
    for (const file of rule_files) expect(mounted).toContain(file);
    expect(rule_files).toHaveLength(2);
    const [{ authorization, static_configs }] = scrape_configs;
    expect(authorization.credentials_file).toBe('/run/secrets/ops-read-token');
    expect(services['prometheus']?.secrets).toEqual(['ops-read-token']);
    expect(static_configs[0].targets).toEqual([`site:${readConfig({}).ops.port}`]);
  });
});

/** Paths of every page, of further articles, and of what is not a page. */
const PATHS = [
  ...pages.map(({ path }) => path.replace(/:\w+/g, 'sample').replace('*', '/404')),
  '/news/a-headline',
  '/guest-author/another-headline',
  '/feed.xml',
];
const pageTable = createPageTable({ pages, canonicalUrl });

it.each<[string, string, (text: string) => (address: string) => boolean]>([
  [
    'nginx',
    'deploy/nginx/nginx.conf',
    (text) => {
      const [, pattern = 'missing'] = /"~(\^\/.*)" 1;/.exec(text) ?? [];
      return (address) => new RegExp(pattern).test(address);
    },
  ],
])('%s lets articles through, whose views are counted, and keeps the rest', async (_name, path, rule) => {
  const isLetThrough = rule(await read(path));
  for (const address of PATHS) {
    expect(isLetThrough(address), address).toBe(pageTable.templateOf(address) === '/:category/:slug');
  }
});

it('the container starts the server as npm start does', async () => {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(await read('package.json')));
  const dockerfile = await read('Dockerfile');
  const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
  const start = scripts.start.replace('exec ', '');
  expect(JSON.parse(command)).toEqual(start.split(' '));
  // Node keeps compiled code apart by user and flags: what the image brings has to be that of the command.
  expect(dockerfile.split('USER node')[1]).toContain(` ${start} --once `);
});

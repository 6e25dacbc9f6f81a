import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { canonicalUrl, pages } from '#client/entry-server.tsx';
import { readConfig } from '#server/config.ts';
import { processMetrics } from '#server/ops/metrics/process-metrics.ts';
import { createPageTemplates } from '#server/render/page-templates.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFile(join(root, path), 'utf8');

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: z.record(z.string(), z.string()).default({}),
      volumes: z.array(z.string()).default([]),
      ports: z.array(z.string()).default([]),
      stop_grace_period: z.string().optional(),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
});

const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Container = z.object({
  env: z.array(z.object({ name: z.string() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  startupProbe: Probe,
  readinessProbe: Probe,
  livenessProbe: Probe,
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }),
  securityContext: z.object({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const StatefulSet = z.object({
  kind: z.literal('StatefulSet'),
  spec: z.object({
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([Container]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
    volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })),
  }),
});
const ConfigMap = z.object({ kind: z.literal('ConfigMap'), data: z.record(z.string(), z.string()) });
const Adapter = z.object({
  rules: z.object({
    custom: z.tuple([
      z.object({ seriesQuery: z.string(), name: z.object({ as: z.string() }), metricsQuery: z.string() }),
    ]),
  }),
});
const Autoscaler = z.object({
  kind: z.literal('HorizontalPodAutoscaler'),
  spec: z.object({
    metrics: z.tuple([z.object({ pods: z.object({ metric: z.object({ name: z.string() }) }) })]),
  }),
});

async function manifests(): Promise<unknown[]> {
  const documents = parseAllDocuments(await read('deploy/kubernetes/site.yaml'));
  for (const { errors } of documents) expect(errors).toEqual([]);
  return documents.map((document) => document.toJS());
}

async function manifest<T>(schema: z.ZodType<T>): Promise<T> {
  const found = (await manifests()).map((one) => schema.safeParse(one)).find(({ success }) => success)?.data;
  if (!found) throw new Error('there is no such manifest');
  return found;
}

/** The names of all variables of the configuration. */
async function variables(): Promise<Set<string>> {
  const example = await read('.env.example');
  return new Set([...example.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name = '']) => name));
}

it('compose starts the site with variables that there are, and files that are there', async () => {
  const { services, volumes } = Compose.parse(parse(await read('compose.yaml')));
  const known = await variables();
  for (const name of Object.keys(services['site']?.environment ?? {})) expect(known).toContain(name);
  const sources = Object.values(services).flatMap((service) =>
    service.volumes.map((mount) => mount.split(':')[0] ?? ''),
  );
  for (const source of sources) {
    if (source.startsWith('./')) expect(existsSync(join(root, source)), source).toBe(true);
    else expect(Object.keys(volumes)).toContain(source);
  }
  const { port, shutdownGraceMs, ops } = readConfig({});
  expect(services['site']?.ports).toEqual([`${port}:${port}`, `127.0.0.1:${ops?.port}:${ops?.port}`]);
  expect(Number.parseInt(services['site']?.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(
    shutdownGraceMs,
  );
});

it('what Kubernetes sets makes a configuration, with its probes where the site answers', async () => {
  const { data } = await manifest(ConfigMap);
  const config = readConfig({ ...data, OPS_TOKEN: 'a-secret-of-sixteen-letters-or-more' });
  const { spec } = (await manifest(StatefulSet)).spec.template;
  const [container] = spec.containers;
  const known = await variables();
  for (const name of [...Object.keys(data), ...container.env.map((one) => one.name)])
    expect(known).toContain(name);
  expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
  expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
  expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
  expect(container.ports).toEqual([
    { name: 'http', containerPort: config.port },
    { name: 'ops', containerPort: config.ops?.port },
  ]);
  const stopsIn = container.lifecycle.preStop.sleep.seconds * 1_000 + config.shutdownGraceMs;
  expect(spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(stopsIn);
});

it('Kubernetes mounts only what it has, and lets the site write where it has to', async () => {
  const { template, volumeClaimTemplates } = (await manifest(StatefulSet)).spec;
  const [{ volumeMounts }] = template.spec.containers;
  const there = [
    ...template.spec.volumes.map(({ name }) => name),
    ...volumeClaimTemplates.map((one) => one.metadata.name),
  ];
  expect(volumeMounts.map(({ name }) => name).sort()).toEqual(there.sort());
  expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/data');
});

it('the autoscaler asks for a metric that the adapter computes from series that the site exports', async () => {
  const { metrics } = (await manifest(Autoscaler)).spec;
  const adapter = Adapter.parse(parse(await read('deploy/kubernetes/prometheus-adapter.yaml')));
  const [{ seriesQuery, name, metricsQuery }] = adapter.rules.custom;
  expect(name.as).toBe(metrics[0].pods.metric.name);
  const series = [...`${seriesQuery} ${metricsQuery}`.matchAll(/\b(nodejs_\w+)/g)].map(([, found]) => found);
  const exported = await processMetrics().metrics();
  expect(new Set(series).size).toBe(2);
  for (const found of series) expect(exported).toMatch(new RegExp(`^${found} `, 'm'));
});

/** Paths of every page, of further articles, and of what is not a page. */
const PATHS = [
  ...pages.map(({ path }) => path.replace(/:\w+/g, 'sample').replace('*', '/404')),
  '/news/a-headline',
  '/guest-author/another-headline',
  '/feed.xml',
];
const pageTemplates = createPageTemplates({ pages, canonicalUrl });

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
    expect(isLetThrough(address), address).toBe(pageTemplates.templateOf(address) === '/:category/:slug');
  }
});

it('the container starts the server as npm start does', async () => {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(await read('package.json')));
  const dockerfile = await read('Dockerfile');
  const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
  expect(JSON.parse(command)).toEqual(scripts.start.split(' '));
  // Node keeps compiled code apart by user and flags: what the image brings has to be that of the command.
  expect(dockerfile.split('USER node')[1]).toContain(` ${scripts.start} --once `);
});

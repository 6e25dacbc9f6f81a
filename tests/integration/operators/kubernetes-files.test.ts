import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Config, readConfig } from '#server/config.ts';
import { readAlerts } from '../../prometheus/rule-files.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import {
  findManifest,
  manifestFiles,
  problemsOf,
  readDeployFile,
  readManifests,
} from './kubernetes-manifests.ts';
import { configurationNames } from './variable-names.ts';

const root = join(import.meta.dirname, '../../..');

const Probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  failureThreshold: z.number(),
});
const Container = z.object({
  image: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  envFrom: z.array(z.strictObject({ configMapRef: z.object({ name: z.string() }) })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  startupProbe: Probe,
  readinessProbe: Probe,
  livenessProbe: Probe,
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  securityContext: z.object({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const StatefulSet = z.object({
  kind: z.literal('StatefulSet'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.undefined().optional(),
    minReadySeconds: z.number().min(1),
    serviceName: z.string(),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        automountServiceAccountToken: z.literal(false),
        securityContext: z.object({
          runAsNonRoot: z.literal(true),
          seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
        }),
        topologySpreadConstraints: z.array(z.unknown()).min(2),
        containers: z.tuple([Container]),
        volumes: z.array(
          z.object({
            name: z.string(),
            persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
            secret: z.object({ secretName: z.string() }).optional(),
          }),
        ),
      }),
    }),
    volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })),
  }),
});
const ConfigMap = z.object({ kind: z.literal('ConfigMap'), data: z.record(z.string(), z.string()) });
const Labels = z.record(z.string(), z.string());
const Service = z.object({
  kind: z.literal('Service'),
  metadata: z.object({ name: z.string(), labels: Labels }),
  spec: z.object({
    selector: Labels,
    ports: z.array(z.object({ name: z.string(), targetPort: z.string() })),
  }),
});
const ServiceMonitor = z.object({
  kind: z.literal('ServiceMonitor'),
  spec: z.object({
    jobLabel: z.string(),
    selector: z.object({ matchLabels: Labels }),
    endpoints: z.tuple([
      z.object({
        port: z.string(),
        path: z.string(),
        authorization: z.object({ credentials: z.object({ name: z.string(), key: z.string() }) }),
      }),
    ]),
  }),
});
const Autoscaler = z.object({
  kind: z.literal('HorizontalPodAutoscaler'),
  spec: z.object({
    scaleTargetRef: z.object({ kind: z.string(), name: z.string() }),
    minReplicas: z.number().min(2),
    metrics: z.array(
      z.object({ type: z.string(), pods: z.object({ metric: z.object({ name: z.string() }) }).optional() }),
    ),
  }),
});
const Adapter = z.object({
  rules: z.object({
    custom: z.array(
      z.object({ seriesQuery: z.string(), name: z.object({ as: z.string() }), metricsQuery: z.string() }),
    ),
  }),
});
const NetworkPolicy = z.object({
  kind: z.literal('NetworkPolicy'),
  spec: z.object({
    ingress: z.array(z.object({ ports: z.array(z.object({ port: z.union([z.string(), z.number()]) })) })),
  }),
});
const DisruptionBudget = z.object({
  kind: z.literal('PodDisruptionBudget'),
  spec: z.object({ maxUnavailable: z.number(), selector: z.object({ matchLabels: Labels }) }),
});
const Ingress = z.object({
  kind: z.literal('Ingress'),
  spec: z.object({
    rules: z.array(
      z.object({
        http: z.object({
          paths: z.array(
            z.object({
              backend: z.object({
                service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }),
              }),
            }),
          ),
        }),
      }),
    ),
  }),
});

const MIB = 1024 * 1024;
const mebibytes = (text: string) => Number(/^(\d+)Mi$/.exec(text)?.[1]) * MIB;

const { spec } = findManifest(StatefulSet);
const pod = spec.template.spec;
const [container] = pod.containers;
const { data } = findManifest(ConfigMap);

/** What the site reads in a container: the ConfigMap, and the files of the Secret. */
function configInContainer(): Config {
  const env = { ...data, ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])) };
  return readConfig(env, (path) =>
    path.endsWith('REDIS_URL') ? 'redis://:password@valkey:6379' : `a-secret-of-${path}`,
  );
}

let site: SiteUnderTest;
let metrics: string;

beforeAll(async () => {
  site = await startSiteUnderTest();
  await fetch(`${site.origin}/`);
  metrics = await (await fetch(`${site.ops}/metrics`)).text();
});
afterAll(() => site.close());

it.each(readManifests().map(({ file, kind, name, content }) => ({ file, kind, name, content })))(
  '$file: $kind $name is what the schema of Kubernetes says, without unknown fields',
  ({ content }) => expect(problemsOf(content)).toEqual([]),
);

it('kustomize lists every file', () => {
  const { resources } = z
    .object({ resources: z.array(z.string()) })
    .parse(parse(readDeployFile('kustomization.yaml')));
  expect(resources.toSorted()).toEqual(manifestFiles().toSorted());
});

describe('an instance', () => {
  it('has a configuration, of variables that there are', async () => {
    const known = configurationNames();
    for (const name of [...Object.keys(data), ...container.env.map((one) => one.name)])
      expect(known).toContain(name);
    expect(configInContainer()).toMatchObject({ ops: { host: '0.0.0.0' }, assetsDir: '/assets' });
  });

  it('has its secrets in files, not in its environment', () => {
    const names = container.env.map(({ name }) => name);
    expect(names.every((name) => name.endsWith('_FILE'))).toBe(true);
    const mount = container.volumeMounts.find(({ name }) => name === 'secrets')?.mountPath;
    for (const { value } of container.env) expect(value.startsWith(`${mount}/`)).toBe(true);
    expect(container.envFrom).toHaveLength(1);
  });

  it('is probed where the site responds, and is not restarted for being busy', async () => {
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    for (const probe of [container.readinessProbe, container.livenessProbe])
      expect((await fetch(site.origin + probe.httpGet.path)).status).toBe(200);
    const { periodSeconds, failureThreshold } = container.livenessProbe;
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(60);
    const config = configInContainer();
    expect(container.ports).toEqual([
      { name: 'http', containerPort: config.port },
      { name: 'ops', containerPort: config.ops.port },
    ]);
  });

  it('has time to stop, of which readiness is false for longer than it takes to notice', () => {
    const { shutdownGraceMs, drainMs } = configInContainer();
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(shutdownGraceMs);
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(drainMs).toBeGreaterThan(periodSeconds * failureThreshold * 1_000);
  });

  it('mounts what there is, and writes where it has to', () => {
    const volumes = [
      ...pod.volumes.map(({ name }) => name),
      ...spec.volumeClaimTemplates.map((one) => one.metadata.name),
    ];
    expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
    const paths = container.volumeMounts.map(({ mountPath }) => mountPath);
    for (const path of [data['DATA_DIR'], data['ASSETS_DIR'], '/tmp']) expect(paths).toContain(path);
    const claims = readManifests().filter(({ kind }) => kind === 'PersistentVolumeClaim');
    for (const { persistentVolumeClaim } of pod.volumes)
      if (persistentVolumeClaim)
        expect(claims.map(({ name }) => name)).toContain(persistentVolumeClaim.claimName);
  });

  it('has the memory that the docs say, and an alert below it', () => {
    const limit = mebibytes(container.resources.limits.memory);
    const docs = readFileSync(join(root, 'docs/operating/several-instances.md'), 'utf8');
    const documented = Number(/container (\d+) MB with the default cache/.exec(docs)?.[1]) * 1_000_000;
    expect(limit).toBeGreaterThanOrEqual(documented);
    expect(mebibytes(container.resources.requests.memory)).toBeLessThan(limit);
    const alert = readAlerts().find((one) => one.alert === 'MemoryHigh');
    const threshold = Number(/> (\d+)$/.exec(alert?.expr ?? '')?.[1]);
    expect(threshold).toBeLessThan(0.9 * limit);
    expect(threshold).toBeGreaterThan(0.7 * limit);
  });

  it('is of one version: its tag does not move', () => {
    expect(container.image).toMatch(/:\d+\.\d+\.\d+$/);
  });
});

it('everything that selects instances selects them', () => {
  const { labels } = spec.template.metadata;
  const services = readManifests().flatMap(({ content }) => Service.safeParse(content).data ?? []);
  expect(services).toHaveLength(2);
  const selectors = [
    ...services.map((service) => service.spec.selector),
    findManifest(DisruptionBudget).spec.selector.matchLabels,
  ];
  for (const selector of selectors) expect(labels).toMatchObject(selector);
  expect(services.map(({ metadata }) => metadata.name)).toContain(spec.serviceName);
});

it('the ingress leads to the readers’ service alone', () => {
  const [{ http } = { http: { paths: [] } }] = findManifest(Ingress).spec.rules;
  expect(http.paths.map(({ backend }) => backend.service)).toEqual([
    { name: 'site', port: { name: 'http' } },
  ]);
});

it('the network policy opens the ports of readers and of Prometheus, and no other', () => {
  const ports = findManifest(NetworkPolicy).spec.ingress.flatMap((rule) =>
    rule.ports.map(({ port }) => port),
  );
  expect(ports).toEqual(container.ports.map(({ name }) => name));
});

it('Prometheus scrapes each instance with the read-only token of the secret', () => {
  const monitor = findManifest(ServiceMonitor).spec;
  const services = readManifests().flatMap(({ content }) => Service.safeParse(content).data ?? []);
  const selected = services.filter(({ metadata }) =>
    Object.entries(monitor.selector.matchLabels).every(([key, value]) => metadata.labels[key] === value),
  );
  expect(selected.map(({ metadata }) => metadata.name)).toEqual(['site-instances']);
  const [endpoint] = monitor.endpoints;
  expect(selected[0]?.spec.ports.map(({ name }) => name)).toEqual([endpoint.port]);
  expect(endpoint.path).toBe('/metrics');
  const secret = pod.volumes.find(({ name }) => name === 'secrets')?.secret?.secretName;
  expect(endpoint.authorization.credentials).toEqual({ name: secret, key: 'OPS_READ_TOKEN' });
  // The label `job` of all series, which alert rules select by.
  expect(selected[0]?.metadata.labels[monitor.jobLabel]).toBe('site');
});

it('the autoscaler asks for the CPU, and for metrics that the adapter computes from series of the site', () => {
  const { scaleTargetRef, metrics: wanted } = findManifest(Autoscaler).spec;
  expect(scaleTargetRef).toMatchObject({
    kind: 'StatefulSet',
    name: findManifest(StatefulSet).metadata.name,
  });
  expect(wanted.map(({ type }) => type)).toContain('Resource');
  const { custom } = Adapter.parse(parse(readDeployFile('prometheus-adapter.yaml'))).rules;
  const names = wanted.flatMap(({ pods }) => (pods ? [pods.metric.name] : []));
  expect(custom.map(({ name }) => name.as)).toEqual(names);
  for (const { seriesQuery, metricsQuery } of custom) {
    const series = `${seriesQuery} ${metricsQuery}`.match(/\b(nodejs|render)_\w+/g) ?? [];
    expect(series.length).toBeGreaterThan(0);
    for (const name of series) expect(metrics).toMatch(new RegExp(`^${name} `, 'm'));
  }
});

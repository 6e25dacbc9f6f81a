import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Config, readConfig } from '#server/config/config.ts';
import { readAlerts } from '../../prometheus/rule-files.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import {
  findManifest,
  manifestFiles,
  patchManifests,
  problemsOf,
  readDeployFile,
  readKustomization,
  readManifests,
  readVariables,
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
const Deployment = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.undefined().optional(),
    minReadySeconds: z.number().min(1),
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0), maxSurge: z.literal(1) }) }),
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
            emptyDir: z.object({ sizeLimit: z.string() }).optional(),
          }),
        ),
      }),
    }),
  }),
});
const StatefulSet = z.object({
  spec: z.object({
    serviceName: z.string(),
    template: z.object({ spec: z.object({ volumes: z.array(z.object({ name: z.string() })) }) }),
    volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })),
  }),
});
const Labels = z.record(z.string(), z.string());
const Service = z.object({
  kind: z.literal('Service'),
  metadata: z.object({ name: z.string(), labels: Labels }),
  spec: z.object({
    selector: Labels,
    ports: z.array(z.object({ name: z.string(), port: z.number(), targetPort: z.string() })),
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
    metrics: z.tuple([
      z.object({ type: z.literal('Resource'), resource: z.object({ name: z.literal('cpu') }) }),
    ]),
  }),
});
const Ends = z.array(
  z.object({
    namespaceSelector: z.object({ matchLabels: Labels }).optional(),
    podSelector: z.object({ matchLabels: Labels }).optional(),
    ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }).optional(),
  }),
);
const Ports = z.array(z.object({ port: z.union([z.string(), z.number()]) }));
const NetworkPolicy = z.object({
  kind: z.literal('NetworkPolicy'),
  spec: z.object({
    ingress: z.array(z.object({ from: Ends, ports: Ports })),
    egress: z.array(z.object({ to: Ends, ports: Ports })),
  }),
});
const DisruptionBudget = z.object({
  kind: z.literal('PodDisruptionBudget'),
  spec: z.object({ maxUnavailable: z.number(), selector: z.object({ matchLabels: Labels }) }),
});
const Route = z.object({
  kind: z.literal('HTTPRoute'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    parentRefs: z.tuple([z.object({ sectionName: z.string() })]),
    hostnames: z.array(z.string()),
    rules: z.tuple([
      z.object({
        timeouts: z.object({ request: z.string().regex(/^\d+s$/) }).optional(),
        filters: z
          .tuple([z.object({ requestRedirect: z.object({ scheme: z.string(), statusCode: z.number() }) })])
          .optional(),
        backendRefs: z.tuple([z.object({ name: z.string(), port: z.number() })]).optional(),
      }),
    ]),
  }),
});

const MIB = 1024 * 1024;
const mebibytes = (text: string) => Number(/^(\d+)Mi$/.exec(text)?.[1]) * MIB;

const { spec } = findManifest(Deployment);
const pod = spec.template.spec;
const [container] = pod.containers;
const base = readKustomization('base');
const data = readVariables(
  base.configMapGenerator.flatMap(({ envs }) =>
    envs.flatMap((file) => readDeployFile(`base/${file}`).split('\n')),
  ),
);
const overlay = readKustomization('example');

/** What the site reads in a container: the ConfigMap, and the files of the Secret. */
function configInContainer(further: Record<string, string> = {}): Config {
  const env = {
    ...data,
    ...further,
    ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
  };
  return readConfig(env, (path) =>
    path.endsWith('REDIS_URL') ? 'redis://:password@valkey:6379' : `a-secret-of-${path}`,
  );
}

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());

it.each(readManifests().map(({ file, kind, name, content }) => ({ file, kind, name, content })))(
  '$file: $kind $name is what the schema of Kubernetes says, without unknown fields',
  ({ content }) => expect(problemsOf(content)).toEqual([]),
);

it('kustomize lists every file', () => {
  expect(base.resources.toSorted()).toEqual(manifestFiles().toSorted());
});

it('a changed configuration is a rolling deploy: its ConfigMap is generated, by the name that instances read', () => {
  expect(base.configMapGenerator.map(({ name }) => name)).toEqual(
    container.envFrom.map(({ configMapRef }) => configMapRef.name),
  );
  expect(readManifests().map(({ kind }) => kind)).not.toContain('ConfigMap');
});

describe('the overlay', () => {
  it('is of the base, with an image of one version and variables that the base has', () => {
    expect(overlay.resources).toEqual(['../base']);
    const [image, tag = ''] = container.image.split(':');
    expect(overlay.images.map(({ name }) => name)).toEqual([image]);
    expect(overlay.images[0]?.newTag).toMatch(/^\d+\.\d+\.\d+$/);
    expect(tag).toMatch(/^\d+\.\d+\.\d+$/);
    const [generator] = overlay.configMapGenerator;
    expect(generator).toMatchObject({ name: 'site', behavior: 'merge' });
    const variables = readVariables(generator?.literals ?? []);
    for (const name of Object.keys(variables)) expect(Object.keys(data)).toContain(name);
    expect(() => configInContainer(variables)).not.toThrow();
  });

  it('makes manifests that are what the schema says', () => {
    for (const { content } of patchManifests(readManifests(), overlay))
      expect(problemsOf(content)).toEqual([]);
  });

  it('keeps each instance’s volume with the component for a StatefulSet, and scales that', () => {
    const stateful = readKustomization('stateful');
    expect(stateful.kind).toBe('Component');
    expect(readDeployFile('example/kustomization.yaml')).toContain('components: [../stateful]');
    const patched = patchManifests(readManifests(), stateful);
    for (const { content } of patched) expect(problemsOf(content)).toEqual([]);
    expect(patched.map(({ kind }) => kind)).not.toContain('Deployment');
    const { spec: kept } = StatefulSet.parse(patched.find(({ kind }) => kind === 'StatefulSet')?.content);
    const names = kept.template.spec.volumes.map(({ name }) => name);
    expect(names).not.toContain('data');
    expect([...names, ...kept.volumeClaimTemplates.map(({ metadata }) => metadata.name)].toSorted()).toEqual(
      container.volumeMounts.map(({ name }) => name).toSorted(),
    );
    const services = patched.flatMap(({ content }) => Service.safeParse(content).data ?? []);
    expect(services.map(({ metadata }) => metadata.name)).toContain(kept.serviceName);
    const scaler = patched.find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.content;
    expect(Autoscaler.parse(scaler).spec.scaleTargetRef.kind).toBe('StatefulSet');
  });
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
    const volumes = pod.volumes.map(({ name }) => name);
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

  it('has a small volume of its own, with room for pictures and the outbox', () => {
    const volume = pod.volumes.find(({ name }) => name === 'data')?.emptyDir;
    const size = Number(/^(\d+)Gi$/.exec(volume?.sizeLimit ?? '')?.[1]) * 1024 * MIB;
    expect(size).toBeGreaterThanOrEqual(1.5 * configInContainer().imageCacheMaxBytes);
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
});

it('the routes lead to the readers’ service alone, and http to https', () => {
  const routes = readManifests().flatMap(({ content }) => Route.safeParse(content).data ?? []);
  const services = readManifests().flatMap(({ content }) => Service.safeParse(content).data ?? []);
  const readers = services.find(({ metadata }) => metadata.name === 'site');
  const [plain, secure] = ['http', 'https'].map((listener) =>
    routes.find(({ spec }) => spec.parentRefs[0].sectionName === listener),
  );
  expect(routes).toHaveLength(2);
  expect(secure?.spec.rules[0].backendRefs).toEqual([
    { name: readers?.metadata.name, port: readers?.spec.ports[0]?.port },
  ]);
  expect(Number.parseInt(secure?.spec.rules[0].timeouts?.request ?? '', 10) * 1_000).toBeGreaterThan(
    2 * configInContainer().upstreamTimeoutMs,
  );
  expect(plain?.spec.rules[0]).toMatchObject({ filters: [{ requestRedirect: { scheme: 'https' } }] });
  expect(plain?.spec.rules[0].backendRefs).toBeUndefined();
  expect(plain?.spec.hostnames).toEqual(secure?.spec.hostnames);
});

describe('the network policy', () => {
  const { ingress, egress } = findManifest(NetworkPolicy).spec;

  it('lets in readers, Prometheus and the CMS, each to its port, and nobody else', () => {
    const opened = ingress.map(({ from, ports }) => [
      from.map((end) => end.namespaceSelector?.matchLabels['kubernetes.io/metadata.name']),
      ports.map(({ port }) => port),
    ]);
    expect(opened).toEqual([
      [['gateway'], ['http']],
      [['monitoring'], ['ops']],
      [['cms'], ['ops']],
    ]);
    // Not the whole namespace of the CMS.
    expect(ingress[2]?.from[0]?.podSelector).toBeDefined();
  });

  it('lets out to names, Redis, traces, a CDN’s purges and public addresses', () => {
    const ports = egress.map((rule) => rule.ports.map(({ port }) => port));
    expect(ports).toEqual([[53, 53], [6379], [4318], [6081], [443]]);
    for (const { to } of egress.slice(0, -1))
      for (const end of to) expect(end.podSelector ?? end.namespaceSelector).toBeDefined();
    for (const { ipBlock } of egress.at(-1)?.to ?? []) expect(ipBlock?.except.length).toBeGreaterThan(0);
  });
});

it('the CMS reaches the purge call by a service, with a token that may do nothing else', async () => {
  const services = readManifests().flatMap(({ content }) => Service.safeParse(content).data ?? []);
  const operators = services.find(({ metadata }) => metadata.name === 'site-operators');
  expect(operators?.spec.ports).toEqual([
    { name: 'ops', port: configInContainer().ops.port, targetPort: 'ops' },
  ]);
  expect(container.env.map(({ name }) => name)).toContain('OPS_PURGE_TOKEN_FILE');
  const readme = readDeployFile('README.md');
  for (const { name } of container.env)
    expect(readme).toContain(`--from-literal=${name.replace('_FILE', '')}=`);
});

it('Prometheus scrapes each instance with the read-only token of the secret', () => {
  const monitor = findManifest(ServiceMonitor).spec;
  const services = readManifests().flatMap(({ content }) => Service.safeParse(content).data ?? []);
  const selected = services.filter(({ metadata }) =>
    Object.entries(monitor.selector.matchLabels).every(([key, value]) => metadata.labels[key] === value),
  );
  expect(selected.map(({ metadata }) => metadata.name)).toEqual(['site-operators']);
  const [endpoint] = monitor.endpoints;
  expect(selected[0]?.spec.ports.map(({ name }) => name)).toEqual([endpoint.port]);
  expect(endpoint.path).toBe('/metrics');
  const secret = pod.volumes.find(({ name }) => name === 'secrets')?.secret?.secretName;
  expect(endpoint.authorization.credentials).toEqual({ name: secret, key: 'OPS_READ_TOKEN' });
  // The label `job` of all series, which alert rules select by.
  expect(selected[0]?.metadata.labels[monitor.jobLabel]).toBe('site');
});

it('the autoscaler scales the instances by CPU alone, and instances ask for some', () => {
  expect(findManifest(Autoscaler).spec.scaleTargetRef).toMatchObject({
    kind: 'Deployment',
    name: findManifest(Deployment).metadata.name,
  });
  expect(Number(container.resources.requests.cpu)).toBeGreaterThan(0);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

const DIR = join(import.meta.dirname, '../../../deploy/kubernetes');

/** Kubernetes' own schema of each kind that we use. */
const MODELS = [
  Deployment,
  HorizontalPodAutoscaler,
  HTTPRoute,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceMonitor,
  StatefulSet,
];

const Head = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export interface Manifest {
  file: string;
  kind: string;
  name: string;
  content: Record<string, unknown>;
}

const Operation = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['add', 'replace']), path: z.string(), value: z.unknown() }),
  z.object({ op: z.literal('remove'), path: z.string() }),
]);
type Operation = z.infer<typeof Operation>;

const Kustomization = z.strictObject({
  apiVersion: z.string(),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).default([]),
  configMapGenerator: z
    .array(
      z.strictObject({
        name: z.string(),
        envs: z.array(z.string()).default([]),
        behavior: z.literal('merge').optional(),
        literals: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  patches: z
    .array(
      z.strictObject({
        target: z.strictObject({ kind: z.string(), name: z.string().optional() }),
        options: z.strictObject({ allowKindChange: z.literal(true) }).optional(),
        patch: z.string().transform((text) => z.array(Operation).parse(parse(text))),
      }),
    )
    .default([]),
});
type Kustomization = z.infer<typeof Kustomization>;

export const readDeployFile = (name: string) => readFileSync(join(DIR, name), 'utf8');

/** Returns the kustomization of a folder. Throws on a field that is none, or that no test here would apply. */
export function readKustomization(folder: string): Kustomization {
  return Kustomization.parse(parse(readDeployFile(`${folder}/kustomization.yaml`)));
}

/** Returns the names of the files with manifests. */
export function manifestFiles(): string[] {
  return readdirSync(join(DIR, 'base')).filter(
    (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
  );
}

/** Returns all manifests of the base. Throws where a file is no YAML, or a document has no kind and name. */
export function readManifests(): Manifest[] {
  return manifestFiles().flatMap((file) =>
    parseAllDocuments(readDeployFile(`base/${file}`)).map((document) => {
      const [error] = document.errors;
      if (error) throw error;
      const content = Head.parse(document.toJS());
      return { file, kind: content.kind, name: content.metadata.name, content };
    }),
  );
}

/** Returns manifests with a kustomization's patches. Throws where one has no target, or a path leads nowhere. */
export function patchManifests(manifests: readonly Manifest[], { patches }: Kustomization): Manifest[] {
  const patched = structuredClone(manifests) as Manifest[];
  for (const { target, patch } of patches) {
    const targets = patched.filter(
      ({ kind, name }) => kind === target.kind && (target.name ?? name) === name,
    );
    if (targets.length === 0) throw new Error(`no ${target.kind} ${target.name ?? ''} to patch`);
    for (const manifest of targets) {
      for (const operation of patch) applyOperation(manifest.content, operation);
      const { kind, metadata } = Head.parse(manifest.content);
      Object.assign(manifest, { kind, name: metadata.name });
    }
  }
  return patched;
}

const Container = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);

/** Applies an operation of RFC 6902 to an object: of an array it only removes. */
function applyOperation(whole: Record<string, unknown>, operation: Operation): void {
  const { op, path } = operation;
  const keys = path.split('/').slice(1);
  const last = keys.pop() ?? '';
  let parent: unknown = whole;
  for (const key of keys) parent = Object.entries(Container.parse(parent)).find(([one]) => one === key)?.[1];
  if (typeof parent !== 'object' || parent === null || (op !== 'add' && !(last in parent)))
    throw new Error(`nothing at ${path}`);
  if (op !== 'remove') Object.assign(parent, { [last]: operation.value });
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
}

/** Returns the variables of a file, or of a generator's literals, by name. */
export function readVariables(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Returns the first manifest that the schema takes. Throws where there is none. */
export function findManifest<T>(schema: z.ZodType<T>): T {
  const found = readManifests()
    .map(({ content }) => schema.safeParse(content))
    .find(({ success }) => success)?.data;
  if (!found) throw new Error('there is no such manifest');
  return found;
}

/**
 * Returns what is wrong with a manifest by Kubernetes' schema of its kind, unknown fields included. The schema's code
 * reads each field that it knows and ignores others: a field that it never reads is unknown.
 */
export function problemsOf(content: Record<string, unknown>): string[] {
  const { apiVersion, kind } = content;
  const Model = MODELS.find((model) => model.apiVersion === apiVersion && model.kind === kind);
  if (!Model) return [`no schema of ${String(apiVersion)} ${String(kind)}`];
  const unread = new Set<string>();
  const model = Object.assign(new Model(), watched(content, '', unread));
  try {
    model.validate();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return [...unread].map((path) => `unknown field ${path}`);
}

/** Wraps an object, and all in it, so that `unread` holds the paths of the fields that nobody has read. */
function watched(whole: object, path: string, unread: Set<string>): object {
  const parts = new Map(
    Object.entries(whole).map(([key, part]): [string, unknown] => {
      const own = `${path}/${key}`;
      if (!Array.isArray(whole)) unread.add(own);
      return [key, typeof part === 'object' && part !== null ? watched(part, own, unread) : part];
    }),
  );
  return new Proxy(whole, {
    get(target, key, receiver) {
      if (typeof key !== 'string' || !parts.has(key)) return Reflect.get(target, key, receiver);
      unread.delete(`${path}/${key}`);
      return parts.get(key);
    },
  });
}

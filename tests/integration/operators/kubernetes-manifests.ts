import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const DIR = join(import.meta.dirname, '../../../deploy/kubernetes');

/** Files that are no manifests of the cluster: kustomize's own, and values of a Helm chart. */
const OTHERS = new Set(['kustomization.yaml', 'prometheus-adapter.yaml']);

/** Kubernetes' own schema of each kind that we use. */
const MODELS = [
  ConfigMap,
  HorizontalPodAutoscaler,
  Ingress,
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

export const readDeployFile = (name: string) => readFileSync(join(DIR, name), 'utf8');

/** Returns the names of the files with manifests. */
export function manifestFiles(): string[] {
  return readdirSync(DIR).filter((name) => name.endsWith('.yaml') && !OTHERS.has(name));
}

/** Returns all manifests. Throws where a file is no YAML, or a document has no kind and name. */
export function readManifests(): Manifest[] {
  return manifestFiles().flatMap((file) =>
    parseAllDocuments(readDeployFile(file)).map((document) => {
      const [error] = document.errors;
      if (error) throw error;
      const content = Head.parse(document.toJS());
      return { file, kind: content.kind, name: content.metadata.name, content };
    }),
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

import type { CachePolicy, MetricsHistory } from '#shared/models/metrics.ts';
import type * as Ops from '#shared/models/ops/ops-api-types.ts';
import { queryClient, reloadResponses } from './query-client.ts';
import { storedToken } from './token.ts';

/** The path, and the key, of the query that tells whether the token is right. */
export const SESSION_PATH = '/session';

/** The listener wants a token, or another one. */
export class UnauthorizedError extends Error {}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const token = storedToken();
  const headers = {
    ...(init.body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    throw init.signal?.aborted ? error : new Error('The listener could not be reached.');
  });
  if (response.ok) return response;
  if (response.status !== 401) throw new Error(await messageOf(response));
  if (path !== SESSION_PATH) void queryClient.invalidateQueries({ queryKey: [SESSION_PATH] });
  throw new UnauthorizedError('The listener wants another token.');
}

/** Returns the detail of problem details (RFC 9457) and the message of each field. */
async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('detail' in body))
    return `The listener responded with ${response.status}.`;
  const errors = 'errors' in body && typeof body.errors === 'object' ? Object.entries(body.errors ?? {}) : [];
  return [String(body.detail), ...errors.map(([field, text]) => `${field}: ${text}`)].join(' ');
}

async function get<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const response = await request(pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`);
  // The server holds its responses against their schemas (`shared/models/ops/`).
  return (await response.json()) as T;
}

/** Changes the site. What is shown is loaded again afterwards. */
async function change<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  try {
    const response = await request(path, init);
    return (response.status === 204 ? undefined : await response.json()) as T;
  } finally {
    void reloadResponses(queryClient);
  }
}

/** The calls of the operators' listener. The message of an error is for the operator. */
export const ops = {
  session: () => get<Ops.Session>(SESSION_PATH),
  changes: () => get<{ changes: Ops.Change[] }>('/changes'),
  undo: ({ method, path, body }: NonNullable<Ops.Change['undo']>) => change<unknown>(method, path, body),
  metricsHistory: (range: number) => get<MetricsHistory>('/metrics-history', { minutes: range }),
  live: (signal: AbortSignal) => request('/live', { signal }),
  cache: () => get<Ops.CacheCounts>('/cache'),
  policies: () => get<Ops.Policies>('/cache/policies'),
  advice: (staleSeconds: number) => get<Ops.Advice>('/cache/advice', { staleSeconds }),
  simulate: (resource: string, ttls: readonly number[], swr?: number) =>
    get<Ops.Simulation>('/cache/simulate', {
      resource,
      ttl: ttls.join(','),
      ...(swr !== undefined && { swr }),
    }),
  instances: () => get<Ops.InstanceList>('/instances'),
  changePolicy: (resource: string, fields: Partial<CachePolicy>) =>
    change<Ops.ChangedPolicy>('PATCH', `/cache/policies/${resource}`, fields),
  resetPolicy: (resource: string) => change<Ops.ChangedPolicy>('DELETE', `/cache/policies/${resource}`),
  previewPurge: (purge: Ops.Purge) =>
    change<Ops.PurgePreview>('POST', '/cache/purge', { ...purge, dryRun: true }),
  purge: (purge: Ops.Purge) => change<Ops.Purged>('POST', '/cache/purge', purge),
  explain: (url: string) => get<Ops.Explanation>('/cache/explain', { url }),
  changeMode: (mode: Ops.ModeChange) => change<Ops.ChangedMode>('PATCH', '/cache/mode', mode),
  outbox: () => get<Ops.Outbox>('/outbox'),
  retry: (id: string) => change<unknown>('POST', `/outbox/${id}/retry`),
  retryAll: (kind: string) => change<{ retried: number }>('POST', '/outbox/retry', { kind }),
  discard: (id: string) => change<unknown>('DELETE', `/outbox/${id}`),
  discardAll: (kind: string) => change<{ discarded: number }>('DELETE', `/outbox?kind=${kind}`),
};

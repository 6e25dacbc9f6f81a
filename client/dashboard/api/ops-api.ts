import { QueryClient, useQuery } from '@tanstack/react-query';
import type { LiveMode, MetricsHistory } from '#shared/models/metrics.ts';
import type * as Ops from '#shared/models/ops/ops-api-types.ts';
import type { Policy } from '#shared/models/resources-and-policies.ts';

/** The cache of the listener's responses. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The listener may be on this machine: it can be reached while the browser is offline.
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
});

const TOKEN_KEY = 'dashboard-token';

/** Returns the operators' token. It is kept in this tab alone: not in a cookie, which browsers send by themselves. */
export function storedToken(): string | null {
  return sessionStorage.getItem(TOKEN_KEY);
}

/** Keeps another token, or none, and starts anew: a token sees nothing that another one has loaded. */
export function changeToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(TOKEN_KEY);
  else sessionStorage.setItem(TOKEN_KEY, token);
  location.reload();
}

/** The path, and the key, of the query that tells whether the token is right. */
const SESSION_PATH = '/session';

/** The listener wants a token, or another one. */
export class UnauthorizedError extends Error {}

/** A call without a response fails after this long (ms). */
const TIMEOUT_MS = 30_000;

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
  if (response.status === 401) {
    if (path !== SESSION_PATH) void queryClient.invalidateQueries({ queryKey: [SESSION_PATH] });
    throw new UnauthorizedError('This token is wrong.');
  }
  const message = await messageOf(response);
  // A token that may purge and nothing else.
  const isOfToken = response.status === 403 && path === SESSION_PATH && token !== null;
  throw isOfToken ? new UnauthorizedError(message) : new Error(message);
}

/** Returns the detail of problem details (RFC 9457) and the message of each field. */
async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('detail' in body))
    return `The listener responded with ${response.status}.`;
  const errors = 'errors' in body && typeof body.errors === 'object' ? Object.entries(body.errors ?? {}) : [];
  return [String(body.detail), ...errors.map(([field, text]) => `${field}: ${text}`)].join(' ');
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  const { signal } = timeout;
  try {
    const response = await request(path, {
      method,
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // Tests hold the listener's responses against their schemas (`shared/models/ops/`).
    return (response.status === 204 ? undefined : await response.json()) as T;
  } catch (error) {
    if (!signal.aborted) throw error;
    const later = method === 'GET' ? '' : ' It may do this later: see Changes.';
    throw new Error(`The listener has not responded for ${TIMEOUT_MS / 1_000} s.${later}`);
  } finally {
    clearTimeout(timer);
  }
}

function get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
  const search = new URLSearchParams(query);
  return call<T>('GET', search.size > 0 ? `${path}?${search}` : path);
}

/** The calls of the operators' listener. The message of an error is for the operator. */
export const ops = {
  session: () => get<Ops.Session>(SESSION_PATH),
  changes: () => get<{ changes: Ops.Change[] }>('/changes'),
  undo: ({ method, path, body }: NonNullable<Ops.Change['undo']>) => call<unknown>(method, path, body),
  metricsHistory: (range: number) => get<MetricsHistory>('/metrics-history', { minutes: String(range) }),
  live: (signal: AbortSignal) => request('/live', { signal }),
  policies: () => get<Ops.Policies>('/cache/policies'),
  advice: (staleSeconds: number) => get<Ops.Advice>('/cache/advice', { staleSeconds: String(staleSeconds) }),
  simulate: (resource: string, ttls: readonly number[], swr?: number) =>
    get<Ops.Simulation>('/cache/simulate', {
      resource,
      ttl: ttls.join(','),
      ...(swr !== undefined && { swr: String(swr) }),
    }),
  instances: () => get<Ops.InstanceList>('/instances'),
  changePolicy: (resource: string, fields: Partial<Policy>) =>
    call<Ops.ChangedPolicy>('PATCH', `/cache/policies/${resource}`, fields),
  resetPolicy: (resource: string) => call<Ops.ChangedPolicy>('DELETE', `/cache/policies/${resource}`),
  previewPurge: (purge: Ops.Purge) =>
    call<Ops.PurgePreview>('POST', '/cache/purge', { ...purge, dryRun: true }),
  purge: (purge: Ops.Purge) => call<Ops.Purged>('POST', '/cache/purge', purge),
  explain: (url: string) => get<Ops.Explanation>('/cache/explain', { url }),
  changeMode: (mode: Ops.ModeChange) => call<LiveMode>('PATCH', '/cache/mode', mode),
  outbox: () => get<Ops.Outbox>('/outbox'),
  retry: (id: string) => call<unknown>('POST', `/outbox/${id}/retry`),
  retryAll: (kind: string) => call<{ retried: number }>('POST', '/outbox/retry', { kind }),
  discard: (id: string) => call<unknown>('DELETE', `/outbox/${id}`),
  discardAll: (kind: string) => call<{ discarded: number }>('DELETE', `/outbox?kind=${kind}`),
};

/** Returns what the listener says of the token. An `UnauthorizedError`: it wants one, or another one. */
export function useSession() {
  return useQuery({ queryKey: [SESSION_PATH], queryFn: ops.session });
}

/** Returns whether the token may read and change nothing. False until the listener has said so: it decides. */
export function useReadOnly(): boolean {
  return useSession().data?.role === 'reader';
}

/** Returns the query of what each instance has. */
export function useInstances() {
  return useQuery({ queryKey: ['instances'], queryFn: ops.instances, refetchInterval: 5_000 });
}

/** Returns the changes of operators, newest first; none until they are known. */
export function useChanges(): { changes: readonly Ops.Change[]; isKnown: boolean; error: Error | null } {
  const { data, error } = useQuery({ queryKey: ['changes'], queryFn: ops.changes });
  return { changes: data?.changes ?? [], isKnown: data !== undefined, error };
}

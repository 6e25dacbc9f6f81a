import type { CachePolicy } from '#shared/models/metrics.ts';
import type * as Ops from '#shared/models/ops/ops-api-types.ts';

export interface OpsApiOptions {
  fetch: typeof globalThis.fetch;
  /** Null: none was entered. */
  token: string | null;
  /** Called when the listener wants a token, or another one. */
  onUnauthorized: () => void;
}

/** Makes a client of the operators' listener. The message of an error is for the operator. */
export function createOpsApi({ fetch, token, onUnauthorized }: OpsApiOptions) {
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    const response = await send(() => fetch(path, { ...init, headers }));
    if (response.ok) return response;
    if (response.status === 401) onUnauthorized();
    throw new Error(await messageOf(response));
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await request(path, init);
    // The server holds its responses against their schemas (`shared/models/ops/`).
    return (await response.json()) as T;
  }

  function get<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
    const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
    return call('GET', pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`);
  }

  return {
    session: () => get<Ops.Session>('/session'),
    audit: () => get<{ entries: Ops.AuditEntry[] }>('/audit'),
    history: (range: number) => get<Ops.History>('/history', { minutes: range }),
    live: (signal: AbortSignal) => request('/live', { signal }),
    advice: (goal: Ops.Goal) => get<Ops.Advice>('/cache/advice', goal),
    compare: (resource: string, one: CachePolicy, other: CachePolicy) =>
      get<Ops.Comparison>('/cache/compare', { resource, a: pairOf(one), b: pairOf(other), minutes }),
    curve: (resource: string) => get<Ops.Curve>('/cache/advice/curve', { resource, minutes }),
    instances: () => get<Ops.InstanceList>('/instances'),
    changePolicy: (resource: string, change: Partial<CachePolicy>) =>
      call<Ops.ChangedPolicy>('PATCH', `/cache/policies/${resource}`, change),
    resetPolicy: (resource: string) => call<Ops.ChangedPolicy>('DELETE', `/cache/policies/${resource}`),
    purge: (purge: Ops.Purge) => call<Ops.Purged>('POST', '/cache/purge', purge),
    explain: (url: string) => get<Ops.Explanation>('/cache/explain', { url }),
    changeMode: (change: Ops.ModeChange) => call<Ops.ChangedMode>('PATCH', '/cache/mode', change),
    webVitals: () => get<Ops.WebVitalsSummary>('/readers'),
    outbox: () => get<Ops.Outbox>('/outbox'),
    retry: (id: number | string) => call<{ id: number | string }>('POST', `/outbox/${id}/retry`),
  };
}

/** What the simulator takes of a policy: SIE acts during outages alone. */
const pairOf = ({ ttl, swr }: CachePolicy) => `${ttl},${swr}`;
/** All that is recorded. */
const minutes = 360;

export type OpsApi = ReturnType<typeof createOpsApi>;

async function send(request: () => Promise<Response>): Promise<Response> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Error('The listener could not be reached.');
  }
}

/** Returns the detail of problem details (RFC 9457) and the message of each field. */
async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('detail' in body))
    return `The listener responded with ${response.status}.`;
  const errors = 'errors' in body && typeof body.errors === 'object' ? Object.entries(body.errors ?? {}) : [];
  return [String(body.detail), ...errors.map(([field, text]) => `${field}: ${text}`)].join(' ');
}

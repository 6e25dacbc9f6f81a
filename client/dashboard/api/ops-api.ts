import type { CachePolicy } from '#shared/models/metrics.ts';
import type {
  Advice,
  AuditEntry,
  ChangedMode,
  ChangedPolicy,
  Comparison,
  Curve,
  Explanation,
  Goal,
  History,
  InstanceList,
  ModeChange,
  Outbox,
  Purge,
  Purged,
  Session,
  Simulation,
  WebVitalsSummary,
} from '#shared/models/ops/ops-api-types.ts';

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
    // The server holds its responses against their schemas (`shared/models/ops/ops-schemas.ts`).
    return (await response.json()) as T;
  }

  return {
    session: () => call<Session>('GET', '/session'),
    audit: () => call<{ entries: AuditEntry[] }>('GET', '/audit'),
    history: (minutes: number) => call<History>('GET', `/history?minutes=${minutes}`),
    live: (signal: AbortSignal) => request('/live', { signal }),
    simulate: (resource: string, ttls: readonly number[], swr: number) =>
      call<Simulation>(
        'GET',
        `/cache/simulate?${new URLSearchParams({ resource, ttl: ttls.join(','), swr: String(swr) })}`,
      ),
    advice: (goal: Goal) =>
      call<Advice>(
        'GET',
        `/cache/advice?${new URLSearchParams(Object.entries(goal).map(([name, value]) => [name, String(value)]))}`,
      ),
    compare: (resource: string, one: Ages, other: Ages, minutes: number) =>
      call<Comparison>(
        'GET',
        `/cache/compare?${new URLSearchParams({ resource, a: pairOf(one), b: pairOf(other), minutes: String(minutes) })}`,
      ),
    curve: (resource: string) =>
      call<Curve>('GET', `/cache/advice/curve?${new URLSearchParams({ resource })}`),
    instances: () => call<InstanceList>('GET', '/instances'),
    changePolicy: (resource: string, change: Partial<CachePolicy>) =>
      call<ChangedPolicy>('PATCH', `/cache/policies/${resource}`, change),
    resetPolicy: (resource: string) => call<ChangedPolicy>('DELETE', `/cache/policies/${resource}`),
    purge: (purge: Purge) => call<Purged>('POST', '/cache/purge', purge),
    explain: (url: string) => call<Explanation>('GET', `/cache/explain?${new URLSearchParams({ url })}`),
    changeMode: (change: ModeChange) => call<ChangedMode>('PATCH', '/cache/mode', change),
    webVitals: () => call<WebVitalsSummary>('GET', '/readers'),
    outbox: () => call<Outbox>('GET', '/outbox'),
    retry: (id: number | string) => call<{ id: number | string }>('POST', `/outbox/${id}/retry`),
  };
}

/** What the simulator knows of a policy: SIE acts during outages alone. */
type Ages = Pick<CachePolicy, 'ttl' | 'swr'>;

const pairOf = ({ ttl, swr }: Ages) => `${ttl},${swr}`;

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

import type { Ages, LiveMode } from '#shared/models/metrics.ts';
import type {
  Advice,
  ChangedAges,
  Explanation,
  Goal,
  Measured,
  ModeChange,
  OutboxState,
  Purge,
  Purged,
  Simulation,
} from './ops-responses.ts';

/** A call that was refused or did not get through. Its message is for the operator. */
export class CallFailed extends Error {
  /** 0 where no answer came. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'CallFailed';
    this.status = status;
  }
}

export interface OpsApiOptions {
  fetch: typeof globalThis.fetch;
  /** Null: the listener has none. */
  token: string | null;
  /** The listener wants a token, or another one. */
  onLocked: () => void;
}

/** The operators' calls. Each rejects with `CallFailed`. */
export function createOpsApi({ fetch, token, onLocked }: OpsApiOptions) {
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    const response = await reach(() => fetch(path, { ...init, headers }));
    if (response.ok) return response;
    if (response.status === 401) onLocked();
    throw new CallFailed(response.status, await wordsOf(response));
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await request(path, init);
    // The server checks its answers against their schemas before they leave it (`server/ops/ops-schemas.ts`).
    return (await response.json()) as T;
  }

  return {
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
    changeAges: (resource: string, change: Partial<Ages>) =>
      call<ChangedAges>('PATCH', `/cache/policies/${resource}`, change),
    resetAges: (resource: string) => call<ChangedAges>('DELETE', `/cache/policies/${resource}`),
    purge: (purge: Purge) => call<Purged>('POST', '/cache/purge', purge),
    explain: (url: string) => call<Explanation>('GET', `/cache/explain?${new URLSearchParams({ url })}`),
    changeMode: (change: ModeChange) => call<LiveMode>('PATCH', '/cache/mode', change),
    readers: () => call<Measured>('GET', '/readers'),
    outbox: () => call<OutboxState>('GET', '/outbox'),
    retry: (id: number | string) => call<{ id: number | string }>('POST', `/outbox/${id}/retry`),
  };
}

export type OpsApi = ReturnType<typeof createOpsApi>;

async function reach(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallFailed(0, 'The listener could not be reached.');
  }
}

/** A problem's detail and what is wrong with each field (RFC 9457). */
async function wordsOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('detail' in body))
    return `The listener answered ${response.status}.`;
  const errors = 'errors' in body && typeof body.errors === 'object' ? Object.entries(body.errors ?? {}) : [];
  return [String(body.detail), ...errors.map(([field, text]) => `${field}: ${text}`)].join(' ');
}

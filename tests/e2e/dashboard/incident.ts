import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildDemoCms } from '#demo/demo-cms.ts';
import { createFaultRules, type FaultRule } from '#demo/faults/fault-rules.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';

/** Data goes stale at once, so that every read of a cached page starts a refresh. */
const SHORT_TTLS = {
  CACHE_HOME_TTL: '1',
  CACHE_TOPIC_TTL: '1',
  CACHE_EVENTS_TTL: '1',
  CACHE_ADS_TTL: '1',
};

/** A response that a reader got. Times are wall milliseconds. */
interface ReadersResponse {
  at: number;
  path: string;
  status: number;
  /** As its Cache-Status says; null without one. */
  result: 'hit' | 'stale' | 'miss' | 'error' | null;
}

/** A request that the upstream got. */
export interface UpstreamRequest {
  operation: string;
  isDelivery: boolean;
  at: number;
  /** Of its rule, if it has one. */
  latencyMs: number;
  /** Null while it is under way. `timeout`: the site did not wait for the response. */
  ended: { at: number; outcome: 'ok' | 'status' | 'timeout' | 'shape'; status: number } | null;
}

/** A site before an upstream that counts for itself, and what readers saw. */
export interface Incident {
  site: SiteUnderTest;
  upstreamTimeoutMs: number;
  upstream: readonly UpstreamRequest[];
  responses: readonly ReadersResponse[];
  /** How long the site's responses took, but for 429, measured at its socket. */
  durations: readonly { at: number; ms: number }[];
  /** When forms were posted. */
  posts: readonly number[];
  /** How late the event loop was at most, in milliseconds: with the start of the site, and since. */
  loopDelayMs(): { withStart: number; since: number };
  read(path: string, times?: number): Promise<void>;
  post(path: string, body: object): Promise<number>;
  faults(rules: FaultRule[]): Promise<void>;
}

/** `/api/post/topic/news?page=1` as `post.topic`. */
function operationOf(url: string): string {
  const [, , first = '', second = ''] = url.split(/[/?]/);
  return first === 'author' ? first : `${first}.${second}`;
}

function resultOf({ status, headers }: Response): ReadersResponse['result'] {
  const said = headers.get('cache-status') ?? '';
  if (said === '') return null;
  if (status >= 500) return 'error';
  if (/fwd=/.test(said)) return 'miss';
  return /ttl=-/.test(said) ? 'stale' : 'hit';
}

/** Runs `work` with a site and an upstream of its own. */
export async function withIncident(
  env: Record<string, string>,
  work: (incident: Incident) => Promise<void>,
): Promise<void> {
  const [withStart, since] = [monitorEventLoopDelay(), monitorEventLoopDelay()];
  withStart.enable();
  const upstream: UpstreamRequest[] = [];
  const rules = createFaultRules();
  const demoCms = buildDemoCms({ dataDir: null, faults: true });
  demoCms.server.on('request', ({ url = '', method }, response) => {
    if (!url.startsWith('/api/')) return;
    const hits = rules.hit(url.split('?', 1).join(''));
    const request: UpstreamRequest = {
      operation: operationOf(url),
      isDelivery: method === 'POST',
      at: Date.now(),
      latencyMs: hits.reduce((sum, { kind, ms = 0 }) => (kind === 'latency' ? sum + ms : sum), 0),
      ended: null,
    };
    upstream.push(request);
    response.once('close', () => {
      const { statusCode: status, writableFinished } = response;
      const isShape = hits.some(({ kind }) => kind === 'wrong-json');
      const failure = status >= 400 && status !== 404 ? 'status' : isShape ? 'shape' : 'ok';
      request.ended = { at: Date.now(), outcome: writableFinished ? failure : 'timeout', status };
    });
  });
  const origin = await demoCms.listen({ port: 0, host: '127.0.0.1' });
  const site = await startSiteUnderTest({ ...SHORT_TTLS, ...env }, { demoCms: origin });
  since.enable();
  const responses: ReadersResponse[] = [];
  const durations: { at: number; ms: number }[] = [];
  const posts: number[] = [];
  site.servers.readers.prependListener('request', (_request, response) => {
    const start = performance.now();
    response.once('finish', () => {
      if (response.statusCode !== 429) durations.push({ at: Date.now(), ms: performance.now() - start });
    });
  });
  async function ask(path: string, init: RequestInit): Promise<number> {
    const response = await fetch(site.origin + path, { redirect: 'manual', ...init });
    await response.text();
    const { status } = response;
    responses.push({ at: Date.now(), path, status, result: resultOf(response) });
    return status;
  }
  try {
    await work({
      site,
      upstreamTimeoutMs: Number(env['UPSTREAM_TIMEOUT_MS'] ?? 20_000),
      upstream,
      responses,
      durations,
      posts,
      loopDelayMs: () => ({ withStart: withStart.max / 1e6, since: since.max / 1e6 }),
      async read(path, times = 1) {
        for (let nth = 0; nth < times; nth++) await ask(path, {});
      },
      async post(path, body) {
        posts.push(Date.now());
        const headers = { 'content-type': 'application/json' };
        return await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
      },
      async faults(all) {
        rules.set(all);
        await site.faults(all);
      },
    });
  } finally {
    withStart.disable();
    since.disable();
    await site.close();
    await demoCms.close();
  }
}

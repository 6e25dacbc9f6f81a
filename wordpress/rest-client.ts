import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { z } from 'zod';

/** Why something could not be had of WordPress, in a line that has nothing of a reader's. */
export class WordpressFailed extends Error {
  override readonly name = 'WordpressFailed';
  /** Status of its response; null where there was none. */
  readonly status: number | null;
  /** WordPress's own name of the error, such as `rest_forbidden`, or that of the connection's. */
  readonly code: string | null;

  constructor(message: string, status: number | null = null, code: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A response of the REST API. `total` and `totalPages`: of the whole list, as WordPress counts it; null for no list. */
export interface RestResponse {
  body: unknown;
  total: number | null;
  totalPages: number | null;
}

export type Query = Readonly<Record<string, string | number | undefined>>;
export type RestClient = ReturnType<typeof createRestClient>;

/** Small machines serve WordPress: more requests at once would only wait there. */
const MAX_CONCURRENT = 6;
/** A hundred posts with their bodies. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Bodies to which WordPress, or a cache in front of it, gave an ETag. */
const MAX_KEPT_LENGTH = 16 * 1024 * 1024;
/** So long calls that come together wait to share a request. One that has been sent may be older than a purge: it is not shared. */
const SHARING_MS = 5;

const RestError = z.object({ code: z.string() });

/** Makes a pool of connections that go through the proxies of the environment. Whatever runs on this machine is asked directly. */
export function createAgent(connections: number): Dispatcher {
  const noProxy = ['localhost,127.0.0.1,[::1]', process.env['NO_PROXY']].filter(Boolean).join(',');
  return new EnvHttpProxyAgent({ connections, noProxy });
}

/**
 * Makes a client of WordPress's REST API, which follows no redirect. `authorization`: value of that header, or null.
 * `timeoutMs`: of one request, its wait for a turn included. Rejects with `WordpressFailed`.
 */
export function createRestClient(authorization: string | null, timeoutMs: number) {
  const agent = createAgent(MAX_CONCURRENT);
  const queue = new PQueue({ concurrency: MAX_CONCURRENT });
  const shared = new Map<string, Promise<RestResponse>>();
  const kept = new LRUCache<string, { etag: string; text: string; totals: Omit<RestResponse, 'body'> }>({
    maxSize: MAX_KEPT_LENGTH,
    sizeCalculation: ({ text }) => text.length + 1,
  });

  async function request(url: string, etag?: string) {
    const { origin, pathname, search } = new URL(url);
    const headers = {
      accept: 'application/json',
      'user-agent': 'wordpress-adapter',
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(authorization !== null && { authorization }),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    const send = async () => {
      const response = await agent.request({
        origin,
        path: pathname + search,
        method: 'GET',
        headers,
        signal,
      });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of response.body) {
        size += chunk.length;
        if (size > MAX_BODY_BYTES) throw new WordpressFailed(`more than ${MAX_BODY_BYTES} bytes`);
        chunks.push(chunk);
      }
      const header = (name: string) => [response.headers[name]].flat()[0] ?? null;
      return { status: response.statusCode, header, text: Buffer.concat(chunks).toString('utf8') };
    };
    try {
      return await queue.add(send, { signal });
    } catch (cause) {
      if (cause instanceof WordpressFailed) throw cause;
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
      const reason = signal.aborted ? `no response within ${timeoutMs} ms` : `no connection (${code})`;
      throw new WordpressFailed(reason, null, code);
    }
  }

  async function load(url: string): Promise<RestResponse> {
    const known = kept.get(url);
    const { status, header, text } = await request(url, known?.etag);
    if (status === 304 && known) return { body: JSON.parse(known.text), ...known.totals };
    const target = status >= 300 && status < 400 ? URL.parse(header('location') ?? '', url) : null;
    if (target !== null && target.host !== new URL(url).host)
      throw new WordpressFailed(`it redirects to another host, ${target.origin}`, status);
    const body = parse(text);
    const code = RestError.safeParse(body).data?.code ?? null;
    // HTML is what maintenance, security plugins and fatal errors send, with any status.
    if (status !== 200 || body === undefined)
      throw new WordpressFailed(
        `status ${status}, ${code ?? (body === undefined ? 'no JSON' : 'no name')}`,
        status,
        code,
      );
    const count = (name: string) => (header(name) === null ? null : Number(header(name)));
    const totals = { total: count('x-wp-total'), totalPages: count('x-wp-totalpages') };
    const etag = header('etag');
    if (etag !== null) kept.set(url, { etag, text, totals });
    return { body, ...totals };
  }

  return {
    request,
    /** Asks for a path such as `wp/v2/posts` below a root, which is a path (`/wp-json/`) or a parameter (`/?rest_route=/`). */
    get(root: string, path: string, query: Query = {}): Promise<RestResponse> {
      const url = new URL(root);
      const route = url.searchParams.get('rest_route');
      if (route === null) url.pathname += path;
      else url.searchParams.set('rest_route', route + path);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, String(value));
      const sharing =
        shared.get(url.href) ??
        new Promise((resolve) => setTimeout(resolve, SHARING_MS)).then(() => {
          shared.delete(url.href);
          return load(url.href);
        });
      shared.set(url.href, sharing);
      return sharing;
    },
    close: () => agent.destroy(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

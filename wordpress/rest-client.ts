import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { type Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { z } from 'zod';

/** Codes of a connection that ended before its response was complete, as where the server closes it after a time without requests. */
const LOST_CONNECTION = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const TLS_ERROR = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/;

/** Why something could not be had of WordPress, in a line that has nothing of a reader's. */
export class WordpressFailed extends Error {
  override readonly name = 'WordpressFailed';
  /** Status of its response; null where there was none. */
  readonly status: number | null;
  /** WordPress's own name of the error, such as `rest_forbidden`, or that of the connection's. */
  readonly code: string;

  constructor(message: string, status: number | null = null, code = '') {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Whether it may be over by itself, as an update, an overload or a restart is. */
  get isTemporary(): boolean {
    return this.status === null ? !TLS_ERROR.test(this.code) : this.status >= 500 || this.status === 429;
  }
}

/** Returns what a `catch` takes: the value in place of failures of WordPress that fit. Throws every other error. */
export function inPlaceOf<T>(fits: (failure: WordpressFailed) => boolean, value: T) {
  return (error: unknown): T => {
    if (error instanceof WordpressFailed && fits(error)) return value;
    throw error;
  };
}

interface RestResponse {
  body: unknown;
  /** What WordPress counts of the whole list, in `X-WP-Total` and `X-WP-TotalPages`; NaN for none. */
  total: number;
  totalPages: number;
}

export type Query = Readonly<Record<string, string | number | undefined>>;
export type RestClient = ReturnType<typeof createRestClient>;

/** Small machines serve WordPress: more requests at once would only wait there. */
const MAX_CONCURRENT = 6;
/** A hundred posts with their bodies. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Characters of the responses to which WordPress, or a cache in front of it, gave an ETag. */
const MAX_KEPT_LENGTH = 8 * 1024 * 1024;
/** Equal calls within this long (ms) share a request. None shares one that was sent: it may be older than a purge. */
const SHARING_MS = 5;

/** Firewalls, such as Cloudflare's, refuse what does not say who it is. */
export const USER_AGENT = { 'user-agent': 'wordpress-adapter' };

const RestError = z.object({ code: z.string() });

const MAX_WARNED = 100;
const WARNING_MS = 60_000;

/** Makes a pool of connections that go through the proxies of the environment. Whatever runs on this machine is asked directly. */
export function createAgent(options: Agent.Options): Dispatcher {
  // Empty: not unset, for which undici would read their names in lower case.
  const { HTTP_PROXY: httpProxy = '', HTTPS_PROXY: httpsProxy = '', NO_PROXY } = process.env;
  const noProxy = ['localhost,127.0.0.1,[::1]', NO_PROXY].filter(Boolean).join(',');
  return new EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy });
}

/**
 * Makes a client of WordPress's REST API, which follows no redirect. `authorization`: value of that header, or null.
 * `timeoutMs`: of one request, its wait for a turn included. `warn`: called with a line where items of a list are left out.
 * Rejects with `WordpressFailed`.
 */
export function createRestClient(
  authorization: string | null,
  timeoutMs: number,
  warn: (line: string) => void = () => {},
) {
  const dispatcher = createAgent({ connections: MAX_CONCURRENT, maxResponseSize: MAX_BODY_BYTES });
  const queue = new PQueue({ concurrency: MAX_CONCURRENT });
  const shared = new Map<string, Promise<RestResponse>>();
  const kept = new LRUCache<string, { etag: string; response: RestResponse }>({ maxSize: MAX_KEPT_LENGTH });
  /** Paths of lists. */
  const warned = new LRUCache<string, true>({ max: MAX_WARNED, ttl: WARNING_MS });

  async function ask(url: string, etag = '') {
    const signal = AbortSignal.timeout(timeoutMs);
    const send = async () => {
      const { statusCode, headers, body } = await request(url, {
        dispatcher,
        signal,
        headers: {
          accept: 'application/json',
          ...USER_AGENT,
          ...(etag !== '' && { 'if-none-match': etag }),
          ...(authorization !== null && { authorization }),
        },
      });
      const header = (name: string) => [headers[name] ?? []].flat().join(', ');
      return { status: statusCode, header, text: await body.text() };
    };
    const sendAgainWhereLost = () =>
      send().catch((cause: unknown) => {
        if (LOST_CONNECTION.has(codeOf(cause))) return send();
        throw cause;
      });
    return queue.add(sendAgainWhereLost, { signal }).catch((cause: unknown) => {
      const code = codeOf(cause);
      if (signal.aborted) throw new WordpressFailed(`no response within ${timeoutMs} ms`);
      const what = TLS_ERROR.test(code) ? 'TLS fails' : 'no response';
      throw new WordpressFailed(`${what} (${code})`, null, code);
    });
  }

  async function load(url: string): Promise<RestResponse> {
    const known = kept.get(url);
    const { status, header, text } = await ask(url, known?.etag);
    if (status === 304 && known) return known.response;
    const target = status >= 300 && status < 400 ? URL.parse(header('location'), url) : null;
    if (target !== null && target.host !== new URL(url).host)
      throw new WordpressFailed(`it redirects to another host, ${target.origin}`, status);
    const body = parse(text);
    const code = RestError.safeParse(body).data?.code ?? '';
    if (status === 401 || status === 403)
      throw new WordpressFailed(`its REST API is closed (status ${status})`, status, code);
    // HTML is what maintenance, security plugins and fatal errors send, with any status.
    if (status !== 200 || body === undefined)
      throw new WordpressFailed(`status ${status}, ${code || 'no JSON'}`, status, code);
    const count = (name: string) => Number.parseInt(header(name), 10);
    const response = { body, total: count('x-wp-total'), totalPages: count('x-wp-totalpages') };
    const etag = header('etag');
    if (etag !== '') kept.set(url, { etag, response }, { size: text.length });
    return response;
  }

  /** Asks for a path such as `wp/v2/posts` below a root, which is a path (`/wp-json/`) or a parameter (`/?rest_route=/`). */
  function get(root: string, path: string, query: Query): Promise<RestResponse> {
    const url = new URL(root);
    const route = url.searchParams.get('rest_route');
    if (route === null) url.pathname += path;
    else url.searchParams.set('rest_route', route + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const sharing =
      shared.get(url.href) ??
      pause(SHARING_MS).then(() => {
        shared.delete(url.href);
        return load(url.href);
      });
    shared.set(url.href, sharing);
    return sharing;
  }

  /** Returns the items of a list that have its shape. Warns once a minute of those of one list that have another. */
  function fitting<T>(path: string, items: readonly unknown[], item: z.ZodType<T>): T[] {
    const read = items.map((each) => item.safeParse(each));
    const wrong = read.flatMap(({ error }) => error?.issues[0] ?? []);
    const [first] = wrong;
    if (first && !warned.has(path)) {
      warned.set(path, true);
      warn(`${path}: ${wrong.length} left out (${first.path.join('.') || 'the item'}: ${first.message})`);
    }
    return read.flatMap(({ data }) => data ?? []);
  }

  return {
    fitting,
    /** Asks for a page, whatever it responds. */
    request: (url: string) => ask(url),
    get,
    /** Asks for one page of a list, with WordPress's own totals. An item of another shape is left out. */
    async list<T>(root: string, path: string, query: Query, item: z.ZodType<T>) {
      const { body, total, totalPages } = await get(root, path, query);
      if (!Array.isArray(body)) throw new WordpressFailed('another shape than a list', 200);
      if (!(total >= 0 && totalPages >= 0)) throw new WordpressFailed('a list came without X-WP-Total', 200);
      return { items: fitting(path, body, item), total, totalPages };
    },
    close: () => dispatcher.destroy(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

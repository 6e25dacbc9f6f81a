import { BREAKER_RULE, BreakerOpen, createCircuitBreaker } from '#server/cms/client/circuit-breaker.ts';
import { createAgent, type ForwardProxies } from '#server/cms/client/proxy-agent.ts';
import { USER_AGENT } from '#server/user-agent.ts';
import { ImageHostFailed, ImageNotFound } from './image-errors.ts';

/** What identifies one version of an original, as its host said: for conditional requests. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

interface Original extends Validators {
  bytes: Buffer;
}

export interface ImageHost {
  /**
   * Fetches the original of a path; null where it is the version that `known` identifies.
   * Throws `ImageNotFound` or `ImageHostFailed`.
   */
  fetchOriginal(path: string, known: Validators | null): Promise<Original | null>;
  close(): Promise<void>;
}

export interface ImageHostOptions {
  /** Base URL: every request stays below it. */
  baseUrl: string;
  /** Deadline of one fetch in milliseconds, body included. */
  timeoutMs: number;
  /** Monotonic milliseconds. */
  clock: () => number;
  logger: { warn(fields: object, message: string): void };
  proxies: ForwardProxies;
}

const MAX_ORIGINAL_BYTES = 20 * 1024 * 1024;

const CONNECTIONS = 8;
const CONNECT_MS = 1_000;

/** Client errors that say nothing about the picture. */
const TRANSIENT = new Set([408, 421, 425, 429]);

/** AVIF and WebP are not asked for: a host that negotiates would send one that it has compressed before. */
const HEADERS = {
  accept: 'image/png,image/jpeg,image/gif,*/*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': USER_AGENT,
};

/** Client of the image host. Its origin and prefix are fixed, it follows no redirect and passes on no client header. */
export function createImageHost({ baseUrl, timeoutMs, clock, logger, proxies }: ImageHostOptions): ImageHost {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = createAgent(
    { connections: CONNECTIONS, pipelining: 1, connect: { timeout: CONNECT_MS } },
    proxies,
  );
  const breaker = createCircuitBreaker({
    ...BREAKER_RULE,
    clock,
    isFailure: (error) => error instanceof ImageHostFailed,
    onChange: (state) => logger.warn({ breaker: state }, 'circuit breaker of the image host changed'),
  });

  async function request(path: string, known: Validators | null): Promise<Original | null> {
    const { statusCode, headers, body } = await pool.request({
      origin,
      method: 'GET',
      path: `${prefix}${path}`,
      headers: {
        ...HEADERS,
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Destroying the body is an abort, which it reports as an error.
    body.on('error', () => undefined);
    try {
      if (statusCode === 304 && known) return null;
      if (statusCode !== 200) throw statusError(statusCode);
      if (Number(headers['content-length'] ?? 0) > MAX_ORIGINAL_BYTES) throw tooLarge();
      return {
        bytes: await readBody(body),
        etag: text(headers.etag),
        lastModified: text(headers['last-modified']),
      };
    } finally {
      body.destroy();
    }
  }

  return {
    async fetchOriginal(path, known) {
      try {
        return await breaker.run(path, () => request(path, known).catch(rethrow));
      } catch (error) {
        if (error instanceof BreakerOpen) throw new ImageHostFailed(error.message);
        if (error instanceof ImageHostFailed) logger.warn({ path, err: error }, 'image not fetched');
        throw error;
      }
    },
    close: () => pool.destroy(),
  };
}

function rethrow(cause: unknown): never {
  if (cause instanceof ImageNotFound || cause instanceof ImageHostFailed) throw cause;
  throw new ImageHostFailed('the request failed', { cause });
}

function statusError(status: number): Error {
  const message = `the image host sent status ${status}`;
  return status >= 300 && status < 500 && !TRANSIENT.has(status)
    ? new ImageNotFound(message)
    : new ImageHostFailed(message);
}

function tooLarge(): ImageNotFound {
  return new ImageNotFound(`the original is larger than ${MAX_ORIGINAL_BYTES} bytes`);
}

/** Reads a body up to the size limit. What it is, the transform finds out. */
async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ORIGINAL_BYTES) throw tooLarge();
  }
  return Buffer.concat(chunks);
}

function text(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header.length <= 512 ? header : null;
}

import { errors } from 'undici';
import { BREAKER_RULE, BreakerOpen, createCircuitBreaker } from '#server/cms/client/circuit-breaker.ts';
import {
  createAgent,
  type ForwardProxies,
  isTransientStatus,
  USER_AGENT,
} from '#server/outgoing-requests.ts';
import type { Clock } from '#server/time.ts';

/** The image does not exist or cannot be served: too large, a redirect, not an image. Sent as 404. */
export class ImageNotFound extends Error {
  override readonly name = 'ImageNotFound';
  /** Whether the host says so (404, 410): whatever else it sends may be a mistake of its. */
  readonly isGone: boolean;

  constructor(message: string, { isGone = false, cause }: { isGone?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isGone = isGone;
  }
}

/** The image host failed (a network error, a timeout, a 5xx), or its circuit breaker is open. Sent as 502. */
export class ImageHostFailed extends Error {
  override readonly name = 'ImageHostFailed';
}

/** The transform took too long, which says nothing about the original's other widths and formats. Sent as 502. */
export class TransformTimedOut extends Error {
  override readonly name = 'TransformTimedOut';
}

export type ImageHost = ReturnType<typeof createImageHost>;

export interface ImageHostOptions {
  /** Base URL: every request stays below it. */
  baseUrl: string;
  /** Deadline of one fetch in milliseconds, body included. */
  timeoutMs: number;
  clock: Clock;
  logger: { warn(fields: object, message: string): void };
  proxies: ForwardProxies;
}

const MAX_ORIGINAL_BYTES = 20 * 1024 * 1024;

const CONNECTIONS = 8;
const CONNECT_MS = 1_000;

/** AVIF and WebP are not asked for: a host that negotiates would send one that it has compressed before. */
const HEADERS = {
  accept: 'image/png,image/jpeg,image/gif,*/*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': USER_AGENT,
};

/** Client of the image host. Its origin and prefix are fixed, it follows no redirect and passes on no client header. */
export function createImageHost({ baseUrl, timeoutMs, clock, logger, proxies }: ImageHostOptions) {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = createAgent(
    {
      connections: CONNECTIONS,
      pipelining: 1,
      connect: { timeout: CONNECT_MS },
      maxResponseSize: MAX_ORIGINAL_BYTES,
    },
    proxies,
  );
  // A response, whatever its status, is about its own path. Only a host that sends none is left alone.
  const breaker = createCircuitBreaker({
    ...BREAKER_RULE,
    clock,
    isFailure: (error) => !(error instanceof ImageNotFound),
    onChange: (state) => logger.warn({ breaker: state }, 'circuit breaker of the image host changed'),
  });

  /** Resolves with the original, or with the status that came in its place. */
  async function request(path: string): Promise<Buffer | number> {
    const signal = AbortSignal.timeout(timeoutMs);
    const { statusCode, headers, body } = await pool.request({
      origin,
      method: 'GET',
      path: `${prefix}${path}`,
      headers: HEADERS,
      signal,
    });
    // Destroying the body is an abort, which it reports as an error.
    body.on('error', () => undefined);
    try {
      if (statusCode !== 200) return statusCode;
      if (Number(headers['content-length'] ?? 0) > MAX_ORIGINAL_BYTES) throw tooLarge();
      return Buffer.from(await body.arrayBuffer());
    } catch (error) {
      throw error instanceof errors.ResponseExceededMaxSizeError ? tooLarge() : error;
    } finally {
      body.destroy();
    }
  }

  return {
    async fetchOriginal(path: string): Promise<Buffer> {
      try {
        const fetched = await breaker.run(path, () => request(path));
        if (typeof fetched === 'number') throw statusError(fetched);
        return fetched;
      } catch (cause) {
        if (cause instanceof ImageNotFound) throw cause;
        const error =
          cause instanceof ImageHostFailed ? cause : new ImageHostFailed('the request failed', { cause });
        if (!(cause instanceof BreakerOpen)) logger.warn({ path, err: error }, 'image not fetched');
        throw error;
      }
    },
    close: () => pool.destroy(),
  };
}

function statusError(status: number): Error {
  const message = `the image host sent status ${status}`;
  // Object stores respond 403 for what they do not have.
  return status === 403 || (status >= 300 && !isTransientStatus(status))
    ? new ImageNotFound(message, { isGone: status === 404 || status === 410 })
    : new ImageHostFailed(message);
}

function tooLarge(): ImageNotFound {
  return new ImageNotFound(`the original is larger than ${MAX_ORIGINAL_BYTES} bytes`);
}

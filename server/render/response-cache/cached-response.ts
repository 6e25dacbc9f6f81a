import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A body in one content coding, with its strong ETag. */
export interface Variant {
  body: Buffer;
  etag: string;
  encoding: Encoding;
}

/** A response that is ready to send, in every content coding. */
export interface CachedResponse {
  status: 200 | 404 | 503;
  contentType: string;
  variants: Record<Encoding, Variant>;
  /** Memory that the bodies hold. */
  bytes: number;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Above 5, brotli takes several times as long as the render and saves a few per cent of the bytes. */
const BROTLI_QUALITY = 5;
const GZIP = { level: 6 };

/** Builds a response, compressing its body off the event loop. */
export async function buildCachedResponse(
  status: CachedResponse['status'],
  contentType: string,
  text: string,
): Promise<CachedResponse> {
  const body = Buffer.from(text);
  const [br, gz] = await Promise.all([compressBrotli(body, brotliFor(body)), compressGzip(body, GZIP)]);
  return cachedResponse(status, contentType, { body, br, gz });
}

/** The same, compressing on this thread: for the render worker, so that it does not use the thread pool of the others. */
export function buildCachedResponseSync(
  status: CachedResponse['status'],
  contentType: string,
  text: string,
): CachedResponse {
  const body = Buffer.from(text);
  return cachedResponse(status, contentType, {
    body,
    br: brotliCompressSync(body, brotliFor(body)),
    gz: gzipSync(body, GZIP),
  });
}

function brotliFor(body: Buffer): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  };
}

/** A strong ETag identifies the bytes, so each coding has its own. */
function cachedResponse(
  status: CachedResponse['status'],
  contentType: string,
  { body, br, gz }: Record<'body' | 'br' | 'gz', Buffer>,
): CachedResponse {
  const digest = hash('sha1', body, 'base64url');
  return {
    status,
    contentType,
    variants: {
      br: { body: br, etag: `"${digest}-br"`, encoding: 'br' },
      gzip: { body: gz, etag: `"${digest}-gz"`, encoding: 'gzip' },
      identity: { body, etag: `"${digest}"`, encoding: 'identity' },
    },
    bytes: body.length + br.length + gz.length,
  };
}

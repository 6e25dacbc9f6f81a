import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** One body in one encoding, with everything a warm request needs. */
export interface Variant {
  body: Buffer;
  etag: string;
  encoding: Encoding;
}

/** An answer whose bytes are ready in every encoding. */
export interface CachedResponse {
  status: 200 | 404 | 503;
  contentType: string;
  variants: Record<Encoding, Variant>;
  /** Memory the answer holds. */
  bytes: number;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Above 5 brotli costs several times the render for a few per cent of the bytes. */
const BROTLI_QUALITY = 5;
const GZIP = { level: 6 };

/** Compresses a body once, off the event loop. */
export async function buildCachedResponse(
  status: CachedResponse['status'],
  contentType: string,
  text: string,
): Promise<CachedResponse> {
  const body = Buffer.from(text);
  const [br, gz] = await Promise.all([compressBrotli(body, brotliFor(body)), compressGzip(body, GZIP)]);
  return cachedResponse(status, contentType, { body, br, gz });
}

/** The same on this thread: for one that has nothing else to do, so that it takes nobody else's. */
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

/** The strong ETag is of the bytes, so each encoding has its own. */
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

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gunzipSync,
  gzip,
  gzipSync,
} from 'node:zlib';
import { LRUCache } from 'lru-cache';

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** One content coding of a body: its strong ETag, and its length in bytes. */
export interface Variant {
  etag: string;
  encoding: Encoding;
  length: number;
}

interface CompressedVariant extends Variant {
  body: Uint8Array<ArrayBuffer>;
}

interface IdentityVariant extends Variant {
  /** Null: uncompressed from gzip when a client asks for it (`createIdentityBodies`). */
  body: Uint8Array<ArrayBuffer> | null;
}

/** A response that is ready to send, in every content coding. */
export interface CachedResponse {
  status: 200 | 404 | 503;
  contentType: string;
  variants: { br: CompressedVariant; gzip: CompressedVariant; identity: IdentityVariant };
  bytes: number;
}

/** Longer bodies are kept uncompressed too: uncompressing one blocks the event loop, for about a millisecond at this length. */
const MAX_UNCOMPRESSED_ON_REQUEST = 512 * 1024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Above 5, brotli takes several times as long as the render and saves a few per cent of the bytes. */
const BROTLI_QUALITY = 5;
const GZIP = { level: 6 };
/**
 * Size of zlib's chunks on the render worker, in bytes. V8 keeps the native handle of each call, and with it the last chunk,
 * until the next full collection: by default that is 32 KiB a page, most of the worker's garbage.
 */
const CHUNK = { chunkSize: 4_096 };

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
    br: brotliCompressSync(body, { ...brotliFor(body), ...CHUNK }),
    gz: gzipSync(body, { ...GZIP, ...CHUNK }),
  });
}

/** Returns the uncompressed body of a response. Blocks the event loop for less than a millisecond. */
export function uncompress({ variants: { identity, gzip } }: CachedResponse): Uint8Array {
  // One chunk with a byte to spare: with less zlib asks for a second one, and copies both.
  return (
    identity.body ??
    gunzipSync(gzip.body, { chunkSize: Math.max(constants.Z_MIN_CHUNK, identity.length + 1) })
  );
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
  // Copies: what zlib returns is a part of a 16 KiB chunk, and a short buffer one of Node's pool. Each would hold the whole of
  // it, and a part cannot be transferred to another thread.
  const [ownBr, ownGzip] = [new Uint8Array(br), new Uint8Array(gz)];
  const kept = body.length > MAX_UNCOMPRESSED_ON_REQUEST ? new Uint8Array(body) : null;
  return {
    status,
    contentType,
    variants: {
      br: { body: ownBr, etag: `"${digest}-br"`, encoding: 'br', length: ownBr.length },
      gzip: { body: ownGzip, etag: `"${digest}-gz"`, encoding: 'gzip', length: ownGzip.length },
      identity: { body: kept, etag: `"${digest}"`, encoding: 'identity', length: body.length },
    },
    bytes: ownBr.length + ownGzip.length + (kept?.length ?? 0),
  };
}

/** Counted for each body besides its bytes: its key and its place in the list. */
const ENTRY_BYTES = 300;

/**
 * Returns uncompressed bodies: those kept with the response, or uncompressed from gzip, of which the most recently requested
 * are kept, up to `maxBytes`. Hardly any client asks for them, and they are three quarters of what a page takes.
 * Measured: 85 µs to uncompress the home page, twice a cache hit.
 */
export function createIdentityBodies(maxBytes: number) {
  const bodies = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: (body) => body.length + ENTRY_BYTES,
  });
  return {
    get(response: CachedResponse): Uint8Array {
      const { body, etag } = response.variants.identity;
      if (body !== null) return body;
      // By the ETag, which is a digest of the body: an entry holds no response that was dropped.
      const kept = bodies.get(etag);
      if (kept) return kept;
      const uncompressed = uncompress(response);
      bodies.set(etag, uncompressed);
      return uncompressed;
    },
    get bytes() {
      return bodies.calculatedSize;
    },
  };
}

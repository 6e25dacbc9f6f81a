import { hash } from 'node:crypto';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** An unused body is read to this size, so that its connection can be used again. */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 250;

/** The body is larger than its cap. */
export class TooLarge extends Error {}

/** By content encoding. A body of another one, which was not asked for, is left as it is: it is no JSON. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

function decompressed(body: Readable, encoding: string): Readable {
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder) return body;
  return pipeline(body, decoder, () => {
    // The reader of the decoder gets the errors of both.
  });
}

/**
 * Reads a body into memory and decompresses it. `capBytes` bounds the decompressed size, so that a decompression bomb
 * stops there. Throws `TooLarge` or the stream's own error; the stream is then destroyed.
 */
export async function readBody(body: Readable, encoding: string, capBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decompressed(body, encoding.trim().toLowerCase())) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the body is not made of bytes');
    size += chunk.length;
    if (size > capBytes) throw new TooLarge('the body is larger than its cap');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Reads the rest of a small body; closes the connection of a large or slow one. */
export async function drain(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DRAIN_MS)]);
  await body.dump({ limit: DRAIN_BYTES, signal: deadline }).catch(() => {});
}

/** `application/json`, `application/problem+json` and the like. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;

/**
 * Returns whether a response is the API's own: of a JSON type, and JSON or empty. Reads a small body; throws what `readBody`
 * throws.
 */
export async function isJsonResponse({ headers, body }: Dispatcher.ResponseData): Promise<boolean> {
  if (!JSON_TYPE.test(String(headers['content-type'] ?? ''))) return false;
  const bytes = await readBody(body, String(headers['content-encoding'] ?? ''), DRAIN_BYTES);
  try {
    if (bytes.length > 0) parseJson(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The text is no JSON, or nested deeper than any response of the upstream. */
export class NotJson extends Error {}

const MAX_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Returns the index of the quote that ends the string beginning before `from`; the length when there is none. */
function endOfString(bytes: Buffer, from: number): number {
  let index = from;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}

function nestsDeeperThan(bytes: Buffer, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfString(bytes, index + 1);
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/**
 * Parses UTF-8 JSON, with or without a byte order mark. Checks the depth on the bytes first, in one pass, since deep nesting
 * stalls a recursive parser. Throws `NotJson`, whose message has nothing of the text.
 */
export function parseJson(bytes: Buffer): unknown {
  if (nestsDeeperThan(bytes, MAX_DEPTH)) throw new NotJson('nested too deep');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson('no JSON');
  }
}

/** Thrown by a call whose response has the same body as before. */
export class Unchanged extends Error {
  override readonly name = 'Unchanged';
}

export type BodyComparison = ReturnType<typeof compareWith>;

/** Compares the body of a response with an earlier one of the same call, by its digest; undefined: with none. */
export function compareWith(earlier: string | undefined) {
  let digest: string | undefined;
  return {
    isSame(body: Buffer): boolean {
      digest = hash('sha1', body, 'base64');
      return digest === earlier;
    },
    /** Returns the digest of the body that was compared last; undefined before. */
    digest: () => digest,
  };
}

import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** An unused body is read to this size, so that its connection can be used again. */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 250;

/** The body is larger than its cap. */
export class TooLarge extends Error {
  constructor() {
    super('the body is larger than its cap');
    this.name = 'TooLarge';
  }
}

/** The response has a content encoding that was not asked for. */
export class UnknownEncoding extends Error {
  constructor() {
    super('the body has an encoding that was not asked for');
    this.name = 'UnknownEncoding';
  }
}

function decoder(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding === 'deflate') return createInflate();
  throw new UnknownEncoding();
}

function decompressed(body: Readable, encoding: string): Readable {
  if (encoding === '' || encoding === 'identity') return body;
  try {
    return pipeline(body, decoder(encoding), () => {
      // The reader of the decoder gets the errors of both.
    });
  } catch (error) {
    body.on('error', () => {}).destroy();
    throw error;
  }
}

/**
 * Reads a body into memory and decompresses it. `capBytes` bounds the decompressed size, so that a decompression bomb
 * stops there. Throws `TooLarge`, `UnknownEncoding` or the stream's own error; the stream is then destroyed.
 */
export async function readBody(body: Readable, encoding: string, capBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decompressed(body, encoding.trim().toLowerCase())) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the body is not made of bytes');
    size += chunk.length;
    if (size > capBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Reads the rest of a small body; closes the connection of a large or slow one. */
export async function drain(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DRAIN_MS)]);
  await body.dump({ limit: DRAIN_BYTES, signal: deadline }).catch(() => {});
}

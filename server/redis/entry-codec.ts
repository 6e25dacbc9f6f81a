import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { STREAM_ID } from './stream-id.ts';

/** Of a decompressed entry: more than any of ours, less than what would block the event loop. */
const MAX_BYTES = 16 * 1024 * 1024;
const DIGEST_BYTES = 32;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const Entry = z.object({
  version: z.string(),
  key: z.string(),
  tags: z.array(z.string()),
  /** The last entry of the invalidation stream that was known when the load began. */
  since: z.string().regex(STREAM_ID),
  /** The expiry it was stored with, in milliseconds. Minus the remaining one (`PTTL`): its age, by Redis' clock alone. */
  keptMs: z.number().positive(),
  value: z.json(),
});

/** A cached value as instances share it. */
export interface EncodedEntry extends Omit<z.infer<typeof Entry>, 'value'> {
  value: unknown;
}

/** Returns the entry as gzipped JSON, after the SHA-256 of those bytes. */
export async function encodeEntry(entry: EncodedEntry): Promise<Buffer> {
  const body = await compress(JSON.stringify(entry), { level: constants.Z_BEST_SPEED });
  return Buffer.concat([digestOf(body), body]);
}

/** Returns the entry, or null where the bytes are not a whole one. */
export async function decodeEntry(bytes: Buffer): Promise<EncodedEntry | null> {
  const body = bytes.subarray(DIGEST_BYTES);
  if (!digestOf(body).equals(bytes.subarray(0, DIGEST_BYTES))) return null;
  try {
    const text = (await decompress(body, { maxOutputLength: MAX_BYTES })).toString('utf8');
    return Entry.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function digestOf(body: Buffer): Buffer {
  return hash('sha256', body, 'buffer');
}

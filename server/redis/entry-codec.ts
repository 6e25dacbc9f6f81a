import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { STREAM_ID } from './stream-id.ts';

/** Of a copy, unpacked: more than any answer of ours, less than what would hold the event loop. */
const MAX_BYTES = 16 * 1024 * 1024;
const DIGEST_BYTES = 32;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const Copy = z.object({
  version: z.string(),
  key: z.string(),
  tags: z.array(z.string()),
  /** The last change that was known when its load began. */
  since: z.string().regex(STREAM_ID),
  /** How long Redis was to keep it, in milliseconds; with what is left of that, its age by Redis's clock alone. */
  keptMs: z.number().positive(),
  value: z.json(),
});

/** A value as instances share it. */
export interface EncodedEntry extends Omit<z.infer<typeof Copy>, 'value'> {
  value: unknown;
}

/** The SHA-256 of what follows, and the copy as compressed JSON. */
export async function encodeEntry(copy: EncodedEntry): Promise<Buffer> {
  const body = await compress(JSON.stringify(copy), { level: constants.Z_BEST_SPEED });
  return Buffer.concat([digestOf(body), body]);
}

/** The copy in bytes that may be anything: null where they are no whole copy. */
export async function decodeEntry(bytes: Buffer): Promise<EncodedEntry | null> {
  const body = bytes.subarray(DIGEST_BYTES);
  if (!digestOf(body).equals(bytes.subarray(0, DIGEST_BYTES))) return null;
  try {
    const text = (await decompress(body, { maxOutputLength: MAX_BYTES })).toString('utf8');
    return Copy.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function digestOf(body: Buffer): Buffer {
  return hash('sha256', body, 'buffer');
}

import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { jsonText } from './json-text.ts';
import { STREAM_ID } from './stream-id.ts';

/** Of a decompressed entry: more than any of ours, less than what would block the event loop. */
const MAX_BYTES = 16 * 1024 * 1024;

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

const EntryText = jsonText(Entry);

/** A cached value as instances share it. */
export interface EncodedEntry extends Omit<z.infer<typeof Entry>, 'value'> {
  value: unknown;
}

/** Returns the entry as gzipped JSON: gzip's own checksum (RFC 1952) tells whether it is whole. */
export function encodeEntry(entry: EncodedEntry): Promise<Buffer> {
  return compress(JSON.stringify(entry), { level: constants.Z_BEST_SPEED });
}

/** Returns the entry, or null where the bytes are not a whole one. */
export async function decodeEntry(bytes: Buffer): Promise<EncodedEntry | null> {
  const text = await decompress(bytes, { maxOutputLength: MAX_BYTES }).catch(() => null);
  return EntryText.safeParse(text?.toString('utf8')).data ?? null;
}

import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfExists, replaceFile } from '#server/storage/files.ts';

const FILE = 'idempotency-secret';
const BYTES = 32;
const DAY_MS = 86_400_000;

/**
 * Resolves with the secret of idempotency keys: derived (HKDF, RFC 5869) from the upstream's token, which all instances
 * have, or from a file of the folder where there is none. It outlives restarts and Redis. Rejects with the disk's error.
 */
export async function idempotencySecret(authorization: string | null, dir: string): Promise<Buffer> {
  const material = authorization ?? (await fileSecret(join(dir, FILE)));
  return Buffer.from(hkdfSync('sha256', material, '', 'idempotency key', BYTES));
}

async function fileSecret(path: string): Promise<Buffer> {
  const known = await readIfExists(path);
  if (known?.length === BYTES) return known;
  const made = randomBytes(BYTES);
  await replaceFile(path, made);
  return made;
}

/**
 * Returns the `Idempotency-Key` of a submission: equal for the same fields, in whatever order, on the same UTC day. Keyed,
 * so that nobody can guess from it what was sent. `now`: wall milliseconds.
 */
export function idempotencyKey(secret: Buffer, kind: string, payload: object, now: number): string {
  const fields = Object.entries(payload).sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([kind, fields, Math.floor(now / DAY_MS)]);
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 24);
}

import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '#server/storage/files.ts';

const FILE = 'idempotency-secret';
const BYTES = 32;
const DAY_MS = 86_400_000;

/**
 * Returns the secret of idempotency keys: derived (HKDF, RFC 5869) from the upstream's token, which all instances have, or
 * from a file of the folder where there is none. It outlives restarts and Redis. Throws the disk's error.
 */
export function idempotencySecret(authorization: string | null, dir: string): Buffer {
  const material = authorization ?? fileSecret(dir);
  return Buffer.from(hkdfSync('sha256', material, '', 'idempotency key', BYTES));
}

function fileSecret(dir: string): Buffer {
  createFolder(dir);
  const path = join(dir, FILE);
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, randomBytes(BYTES));
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path);
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

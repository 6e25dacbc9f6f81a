import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gunzip } from 'node:zlib';
import { readIfExists, replaceFile } from '#server/storage/replace-file.ts';

const DIGEST_BYTES = 32;

/** Lines of one write: the event loop is free between two writes. */
const LINES_PER_WRITE = 50;

const unzip = promisify(gunzip);

/** A file of lines that is replaced atomically. */
export interface SnapshotFile {
  /** Replaces the file. Rejects where that fails, and leaves the old one. */
  write(lines: Iterable<string>): Promise<void>;
  /** Resolves with the lines, or null where there is no file. Rejects for a damaged file. */
  read(): Promise<string[] | null>;
}

/** Creates a file of gzipped lines, followed by their SHA-256. Lines must not be empty. Creates `dir` if it is missing. */
export function createSnapshotFile(dir: string, name: string): SnapshotFile {
  const file = join(dir, name);

  return {
    async write(lines) {
      const gzip = createGzip({ level: constants.Z_BEST_SPEED });
      await pipeline(pieces(lines), gzip, withDigest, (bytes) => replaceFile(file, bytes));
    },
    async read() {
      const bytes = await readIfExists(file);
      if (bytes === null) return null;
      const body = bytes.subarray(0, -DIGEST_BYTES);
      const digest = createHash('sha256').update(body).digest();
      if (!digest.equals(bytes.subarray(-DIGEST_BYTES))) throw new Error('its checksum does not match');
      return (await unzip(body)).toString('utf8').split('\n');
    },
  };
}

/** Yields the body, then its digest. */
async function* withDigest(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  for await (const chunk of body) {
    digest.update(chunk);
    yield chunk;
  }
  yield digest.digest();
}

async function* pieces(lines: Iterable<string>): AsyncGenerator<string> {
  let separator = '';
  let piece: string[] = [];
  for (const line of lines) {
    piece.push(line);
    if (piece.length < LINES_PER_WRITE) continue;
    yield separator + piece.join('\n');
    [separator, piece] = ['\n', []];
    // zlib's back-pressure alone does not yield: it buffers many pieces.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (piece.length > 0) yield separator + piece.join('\n');
}

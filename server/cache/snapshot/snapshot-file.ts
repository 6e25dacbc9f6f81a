import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gunzip } from 'node:zlib';

const DIGEST_BYTES = 32;

/** Lines joined into one write; the event loop is free between two. */
const LINES_AT_ONCE = 50;

const unzip = promisify(gunzip);

/** A file of lines that is replaced as a whole. */
export interface SnapshotFile {
  /** Writes the lines beside the file and renames them into its place. Rejects, and leaves the file, where that fails. */
  write(lines: Iterable<string>): Promise<void>;
  /** The lines; null where there is no file. Rejects for bytes that are not a whole file. */
  read(): Promise<string[] | null>;
}

/** Layout: the gzip of the lines, then its SHA-256. Lines must not be empty. `dir` is made if it is missing. */
export function createSnapshotFile(dir: string, name: string): SnapshotFile {
  const file = join(dir, name);
  const temporary = `${file}.${process.pid}.tmp`;

  return {
    async write(lines) {
      try {
        await mkdir(dir, { recursive: true });
        const to = createWriteStream(temporary, { mode: 0o600, flush: true });
        await pipeline(compressedWithDigest(lines), to);
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    async read() {
      const bytes = await readIfThere(file);
      if (bytes === null) return null;
      const body = bytes.subarray(0, -DIGEST_BYTES);
      const digest = createHash('sha256').update(body).digest();
      if (!digest.equals(bytes.subarray(-DIGEST_BYTES))) throw new Error('its checksum does not fit');
      return (await unzip(body)).toString('utf8').split('\n');
    },
  };
}

async function* compressedWithDigest(lines: Iterable<string>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  for await (const chunk of Readable.from(pieces(lines)).compose(gzip)) {
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
    if (piece.length < LINES_AT_ONCE) continue;
    yield separator + piece.join('\n');
    [separator, piece] = ['\n', []];
    // zlib's back-pressure alone does not give way: it buffers many pieces.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (piece.length > 0) yield separator + piece.join('\n');
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

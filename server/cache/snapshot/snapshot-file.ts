import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gunzip } from 'node:zlib';
import { readIfExists, replaceFile } from '#server/storage/replace-file.ts';

/** Lines of one write: the event loop is free between two writes. */
const LINES_PER_WRITE = 50;

const unzip = promisify(gunzip);

/** Replaces a file by gzipped lines, atomically. Lines must not be empty. Rejects where that fails, and leaves the old file. */
export async function writeSnapshotFile(path: string, lines: Iterable<string>): Promise<void> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline(pieces(lines), gzip, (bytes: AsyncIterable<Buffer>) => replaceFile(path, bytes));
}

/** Resolves with the lines, or null where there is no file. Rejects for a damaged file, by gzip's own checksum. */
export async function readSnapshotFile(path: string): Promise<string[] | null> {
  const bytes = await readIfExists(path);
  return bytes && (await unzip(bytes)).toString('utf8').trimEnd().split('\n');
}

async function* pieces(lines: Iterable<string>): AsyncGenerator<string> {
  let piece: string[] = [];
  for (const line of lines) {
    if (piece.push(`${line}\n`) < LINES_PER_WRITE) continue;
    yield piece.join('');
    piece = [];
    // zlib's back-pressure alone does not yield: it buffers many pieces.
    await nextTurn();
  }
  yield piece.join('');
}

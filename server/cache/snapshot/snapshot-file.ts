import { type FileHandle, open } from 'node:fs/promises';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { replaceFile } from '#server/storage/files.ts';

/** Text of one write, beyond its last entry: the event loop is free between two. Larger ones are not written faster. */
const SLICE_CHARS = 32 * 1024;
/** Text of the whole, before its compression: more takes a start longer than it saves. What comes first is kept. */
const MAX_CHARS = 64 * 1024 * 1024;

/** Replaces a file by gzipped lines, atomically. Lines must not be empty. Rejects where that fails, and leaves the old file. */
export async function writeSnapshotFile(path: string, lines: Iterable<string>): Promise<void> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline(slices(lines), gzip, (bytes: AsyncIterable<Buffer>) => replaceFile(path, bytes));
}

/** Yields the lines; none where there is no file. Rejects for a damaged file, by gzip's own checksum. */
export async function* readSnapshotFile(path: string): AsyncGenerator<string> {
  const file = await openIfExists(path);
  if (!file) return;
  const text = pipe(file.createReadStream(), createGunzip(), () => {
    // The reader of the text gets the errors of both.
  });
  let rest = '';
  for await (const chunk of text.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error('the last line is incomplete');
}

async function* slices(lines: Iterable<string>): AsyncGenerator<string> {
  let slice = '';
  let written = 0;
  for (const line of lines) {
    written += line.length;
    if (written > MAX_CHARS) break;
    slice += `${line}\n`;
    if (slice.length < SLICE_CHARS) continue;
    yield slice;
    slice = '';
    // zlib's back-pressure alone does not yield: it buffers many slices.
    await nextTurn();
  }
  yield slice;
}

async function openIfExists(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

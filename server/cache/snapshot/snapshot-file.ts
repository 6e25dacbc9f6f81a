import { type FileHandle, open } from 'node:fs/promises';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { replaceFile } from '#server/storage/files.ts';

/** Text of one write, beyond its last piece: the event loop is free between two. Larger ones are not written faster. */
const SLICE_CHARS = 32 * 1024;
/** Text of the whole, before its compression: more takes a start longer than it saves. What comes first is kept. */
const MAX_CHARS = 64 * 1024 * 1024;
/** The JSON of larger values is made in pieces: that of an article of a megabyte blocks the event loop for ten milliseconds. */
const LARGE_BYTES = 256 * 1024;

/** What becomes one line. */
export interface Line {
  value: object;
  /** Estimated size in memory. */
  bytes: number;
}

/** Replaces a file by gzipped lines of JSON, atomically. Rejects where that fails, and leaves the old file. */
export async function writeSnapshotFile(path: string, lines: Iterable<Line>): Promise<void> {
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

async function* slices(lines: Iterable<Line>): AsyncGenerator<string> {
  let slice = '';
  let written = 0;
  for (const { value, bytes } of lines) {
    for (const piece of bytes > LARGE_BYTES ? jsonPieces(value) : [JSON.stringify(value)]) {
      slice += piece;
      written += piece.length;
      if (slice.length < SLICE_CHARS) continue;
      yield slice;
      slice = '';
      // zlib's back-pressure alone does not yield: it buffers many slices.
      await nextTurn();
    }
    slice += '\n';
    if (written > MAX_CHARS) break;
  }
  yield slice;
}

/** Yields a value's JSON in short pieces. The value is plain JSON. */
function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield '"';
    for (let at = 0; at < value.length; at += SLICE_CHARS)
      yield JSON.stringify(value.slice(at, at + SLICE_CHARS)).slice(1, -1);
    yield '"';
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ',';
      yield* jsonPieces(item);
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let before = '{';
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* jsonPieces(item);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(value);
  }
}

async function openIfExists(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

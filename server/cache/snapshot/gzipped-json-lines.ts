import { createReadStream, existsSync } from 'node:fs';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { replaceFile } from '#server/storage/files.ts';

/** Text of one write, beyond its last line: the event loop is free between two. Larger ones are not written faster. */
const SLICE_CHARS = 32 * 1024;
/** Text of the whole, before its compression: more takes a start longer than it saves. What comes first is kept. */
const MAX_CHARS = 64 * 1024 * 1024;

/** Replaces a file by gzipped lines of JSON, atomically. Rejects where that fails, and leaves the old file. */
export async function writeJsonLines(path: string, lines: Iterable<object>): Promise<void> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline(slices(lines), gzip, (bytes: AsyncIterable<Buffer>) => replaceFile(path, bytes));
}

/** Yields the lines; none where there is no file. Rejects for a damaged file, by gzip's own checksum. */
export async function* readJsonLines(path: string): AsyncGenerator<string> {
  if (!existsSync(path)) return;
  const text = pipe(createReadStream(path), createGunzip(), () => {
    // The reader of the text gets the errors of both.
  });
  let rest = '';
  for await (const chunk of text.setEncoding('utf8')) {
    // The rest is not searched again: a line of a million letters comes in many chunks.
    const lines = String(chunk).split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error('the last line is incomplete');
}

async function* slices(lines: Iterable<object>): AsyncGenerator<string> {
  let slice = '';
  let written = 0;
  for (const line of lines) {
    slice += `${JSON.stringify(line)}\n`;
    if (slice.length < SLICE_CHARS) continue;
    yield slice;
    written += slice.length;
    slice = '';
    if (written > MAX_CHARS) break;
    // zlib's back-pressure alone does not yield: it buffers many slices.
    await nextTurn();
  }
  yield slice;
}

import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** Valid JSON of 64 MiB. */
export function hugeJson(): Readable {
  const filler = `"${'x'.repeat(64 * KIBIBYTE - 3)}",`;
  return Readable.from(
    (function* () {
      yield '[';
      for (let part = 0; part < KIBIBYTE; part += 1) yield filler;
      yield '""]';
    })(),
  );
}

/** Valid JSON of a hundred thousand nested arrays. */
export function deepJson(): string {
  const depth = 100_000;
  return `{"result":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

let bomb: Buffer | undefined;

/** A decompression bomb: some 260 KiB of gzip with 256 MiB of white space. Compressed once, since that is slow. */
export function gzipBomb(): Buffer {
  bomb ??= packBomb();
  return bomb;
}

function packBomb(): Buffer {
  // Concatenated gzip members are one file.
  const member = gzipSync(Buffer.alloc(16 * MEBIBYTE, ' '));
  return Buffer.concat(Array.from({ length: 16 }, () => member));
}

/** Yields the bytes one by one, each after a pause; ends without an error when `stop` aborts. */
export function dripped(bytes: Buffer, ms: number, stop: AbortSignal): Readable {
  return Readable.from(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 1) {
        yield bytes.subarray(at, at + 1);
        try {
          await pause(ms, undefined, { signal: stop, ref: false });
        } catch {
          return;
        }
      }
    })(),
  );
}

/** Yields the first half of the bytes, then throws. */
export function cutOff(bytes: Buffer): Readable {
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, Math.floor(bytes.length / 2));
      await nextTurn();
      throw new Error('cut off on purpose');
    })(),
  );
}

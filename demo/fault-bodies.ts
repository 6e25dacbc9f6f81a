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

/** Valid JSON of a hundred thousand arrays in one another. */
export function deepJson(): string {
  const depth = 100_000;
  return `{"result":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

let bomb: Buffer | undefined;

/** Some 260 KiB of gzip that unpack to 256 MiB of white space. Packed once: that takes its time. */
export function gzipBomb(): Buffer {
  bomb ??= packBomb();
  return bomb;
}

function packBomb(): Buffer {
  // Gzip members that follow one another are one file.
  const member = gzipSync(Buffer.alloc(16 * MEBIBYTE, ' '));
  return Buffer.concat(Array.from({ length: 16 }, () => member));
}

/** The bytes one by one, each after a pause; ends early, without an error of its own, once `stop` is aborted. */
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

/** The first half of the bytes, then an error. */
export function cutOff(bytes: Buffer): Readable {
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, Math.floor(bytes.length / 2));
      await nextTurn();
      throw new Error('cut off on purpose');
    })(),
  );
}

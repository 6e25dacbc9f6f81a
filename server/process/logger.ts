import { write, writeSync } from 'node:fs';
import { type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '#server/config/config.ts';
import { after } from '#server/time.ts';

const STANDARD_OUTPUT = 1;
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Returns a logger that writes to the standard output: lines for a person, whose library is loaded only here, or JSON lines,
 * asynchronously: a slow or blocked consumer, such as a full disk, delays no request and costs a bounded amount of memory.
 */
export async function createLogger(
  { logLevel: level, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  isTerminal: boolean,
  fields: (() => object) | null,
): Promise<Logger> {
  const options: LoggerOptions = { level, ...(fields !== null && { mixin: fields }) };
  if (logFormat === 'pretty' || (logFormat === 'auto' && isTerminal)) {
    const { default: pretty } = await import('pino-pretty');
    const lines = { colorize: isTerminal, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' };
    return pino(options, pretty(lines));
  }
  const output = createLogOutput({
    fd: STANDARD_OUTPUT,
    maxBytes: MAX_BUFFERED_BYTES,
    onResumed: (lines) => logger.warn({ lines }, 'log lines were dropped: the output was blocked'),
  });
  process.once('exit', output.flushSync);
  const logger = pino(options, output);
  return logger;
}

/** Lines of one write at most. */
const MAX_LINES_PER_WRITE = 500;
/** Wait this long (ms) after a failed write, as on a full disk. */
const RETRY_MS = 100;
/** A write without progress for longer (ms) is stuck: nobody reads the pipe. */
const STUCK_MS = 1_000;

export interface LogOutputOptions {
  fd: number;
  /** Bound of what waits to be written; later lines are dropped, and counted. */
  maxBytes: number;
  /** Called when all that waited is written after lines were dropped. */
  onResumed: (droppedLines: number) => void;
}

/**
 * Creates a destination of pino that writes off the event loop, one write at a time, and tries a failed write again until it succeeds.
 * pino's own destination reports the first failure as an uncaught exception, retries for ever in `flushSync`, which a stop
 * and a fatal line call, and never writes again once its buffer is full.
 */
export function createLogOutput({ fd, maxBytes, onResumed }: LogOutputOptions) {
  const lines: string[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  /** What the thread pool writes, or what has failed. */
  let chunk: Buffer | null = null;
  let hasFailed = false;
  let progressAt = 0;

  function writeNext(): void {
    if (chunk === null) {
      if (lines.length === 0) return;
      chunk = Buffer.from(lines.splice(0, MAX_LINES_PER_WRITE).join(''));
      progressAt = performance.now();
    }
    const { length } = chunk;
    write(fd, chunk, (error, written) => {
      hasFailed = error !== null;
      if (hasFailed) {
        after(RETRY_MS, writeNext);
        return;
      }
      progressAt = performance.now();
      waitingBytes -= written;
      chunk = written < length ? (chunk?.subarray(written) ?? null) : null;
      if (chunk === null && lines.length === 0) reportDropped();
      writeNext();
    });
  }

  function reportDropped(): void {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    onResumed(count);
  }

  const isStuck = () => hasFailed || (chunk !== null && performance.now() - progressAt > STUCK_MS);

  return {
    write(line: string): void {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > maxBytes) {
        dropped++;
        return;
      }
      waitingBytes += bytes;
      lines.push(line);
      // Of several lines in one turn the first is written at once, the others together after it.
      if (chunk === null) writeNext();
    },

    /** Writes what waits, on this thread. Gives up where the output takes nothing. */
    flushSync(): void {
      // What is in flight is written by the thread pool, whose work Node completes before it exits.
      if (isStuck() || lines.length === 0) return;
      const rest = Buffer.from(lines.splice(0).join(''));
      let at = 0;
      try {
        while (at < rest.length) at += writeSync(fd, rest, at);
      } catch {
        lines.unshift(rest.toString('utf8', at));
      }
      waitingBytes -= at;
    },
  };
}

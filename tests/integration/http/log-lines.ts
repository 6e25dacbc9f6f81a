import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';

/** A log kept in memory for a test. */
export interface LogLines {
  logger: Logger;
  /** All lines so far, as JSON text. */
  text(): string;
  clear(): void;
  /** Returns the lines of one request. */
  of(requestId: string | undefined): unknown[];
}

export function createLogLines(level: 'info' | 'warn' = 'warn', mixin?: () => object): LogLines {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return {
    logger: pino({ level, ...(mixin && { mixin }) }, stream),
    text: () => text,
    clear() {
      text = '';
    },
    of(requestId) {
      const lines = text.split('\n').filter((line) => requestId !== undefined && line.includes(requestId));
      return lines.map((line) => JSON.parse(line));
    },
  };
}

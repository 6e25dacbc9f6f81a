import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';

/** A log that a test reads. */
export interface LogLines {
  logger: Logger;
  /** All lines so far, as JSON text. */
  text(): string;
}

export function createLogLines(level: 'info' | 'warn' = 'warn'): LogLines {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { logger: pino({ level }, stream), text: () => text };
}

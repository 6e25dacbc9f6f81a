import { type Logger, pino } from 'pino';

/** Bound of buffered lines; later ones are dropped, and counted. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Returns a logger that writes JSON lines to the standard output, asynchronously: a slow or blocked consumer, such as a
 * full disk, delays no request and costs a bounded amount of memory.
 */
export function createLogger(level: string): Logger {
  const output = pino.destination({ dest: 1, sync: false, maxLength: MAX_BUFFERED_BYTES });
  const logger = pino({ level }, output);
  let dropped = 0;
  output.on('drop', () => {
    dropped++;
  });
  output.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    logger.warn({ lines }, 'log lines were dropped: the output was blocked');
  });
  return logger;
}

import { type Logger, pino } from 'pino';

/** What lines that nobody takes may hold of memory; later ones are dropped, and counted. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The log on the standard output, as lines of JSON. Written beside the event loop: whoever takes it slowly, or not at
 * all, as where a full disk is behind it, stops no reader of the site and costs a bounded memory.
 */
export function createLogger(level: string): Logger {
  const output = pino.destination({ dest: 1, sync: false, maxLength: MOST_BYTES });
  const logger = pino({ level }, output);
  let dropped = 0;
  output.on('drop', () => {
    dropped++;
  });
  output.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    logger.warn({ lines }, 'lines of the log were dropped: nobody took them in time');
  });
  return logger;
}

import { type Logger, type LoggerOptions, pino } from 'pino';
import { createLogOutput } from './log-output.ts';

/** `pretty` for a person at a terminal, `json` for programs. */
export type LogFormat = 'json' | 'pretty';

/** Returns fields of each line; null where there are none. */
type LogFields = (() => object) | null;

const STANDARD_OUTPUT = 1;
/** Bound of buffered lines; later ones are dropped, and counted. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** Returns the format that `LOG_FORMAT` means on this output. */
export function logFormatOf(format: LogFormat | 'auto', isTerminal: boolean): LogFormat {
  if (format !== 'auto') return format;
  return isTerminal ? 'pretty' : 'json';
}

/** Returns a logger that writes lines for a person to the standard output. Its library is loaded only here. */
export async function createPrettyLogger(
  level: string,
  colorize: boolean,
  fields: LogFields,
): Promise<Logger> {
  const { default: pretty } = await import('pino-pretty');
  return pino(
    { level, ...mixinOf(fields) },
    pretty({ colorize, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }),
  );
}

/**
 * Returns a logger that writes JSON lines to the standard output, asynchronously: a slow or blocked consumer, such as a
 * full disk, delays no request and costs a bounded amount of memory.
 */
export function createLogger(level: string, fields: LogFields): Logger {
  const output = createLogOutput({
    fd: STANDARD_OUTPUT,
    maxBytes: MAX_BUFFERED_BYTES,
    onResumed: (lines) => logger.warn({ lines }, 'log lines were dropped: the output was blocked'),
  });
  process.once('exit', output.flushSync);
  const logger = pino({ level, ...mixinOf(fields) }, output);
  return logger;
}

function mixinOf(fields: LogFields): Pick<LoggerOptions, 'mixin'> {
  return fields === null ? {} : { mixin: fields };
}

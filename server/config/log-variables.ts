import { oneOf, SHARE, text } from './value-rules.ts';
import { variable } from './variable.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;

/** The log, and what names this build in metrics. */
export const logVariables = {
  logLevel: variable('LOG_LEVEL', 'info', 'pino level', oneOf(LOG_LEVELS)),
  logFormat: variable('LOG_FORMAT', 'auto', 'auto: pretty on a terminal, JSON elsewhere', oneOf(LOG_FORMATS)),
  logSample: variable('LOG_SAMPLE', '1', 'share of cache hits that get an access-log line', SHARE),
  revision: variable(
    'REVISION',
    'unknown',
    'source revision of this build, for the metric build_info; the image sets it',
    text('1 to 64 letters, digits, dots, hyphens', /^[\w.+-]{1,64}$/),
  ),
};

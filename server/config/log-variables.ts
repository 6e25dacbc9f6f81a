import { z } from 'zod';
import { SHARE, text } from './value-rules.ts';
import { type Rule, variable } from './variable.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOG_LEVEL: Rule<string> = { expected: `one of ${LOG_LEVELS.join(', ')}`, schema: z.enum(LOG_LEVELS) };

const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
const LOG_FORMAT: Rule<(typeof LOG_FORMATS)[number]> = {
  expected: `one of ${LOG_FORMATS.join(', ')}`,
  schema: z.enum(LOG_FORMATS),
};

/** The log, and what names this build in metrics. */
export const logVariables = {
  logLevel: variable('LOG_LEVEL', 'info', 'pino level', LOG_LEVEL),
  logFormat: variable('LOG_FORMAT', 'auto', 'auto: pretty on a terminal, JSON elsewhere', LOG_FORMAT),
  logSample: variable('LOG_SAMPLE', '1', 'share of cache hits that get an access-log line', SHARE),
  revision: variable(
    'REVISION',
    'unknown',
    'source revision of this build, for the metric build_info; the image sets it',
    text('1 to 64 letters, digits, dots, hyphens', /^[\w.+-]{1,64}$/),
  ),
};

import { z } from 'zod';
import { BASE_URL, oneOf, optional, SHARE, secret, text, variable } from './variable.ts';

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

const SAMPLERS = oneOf([
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]);

/** `key=value` pairs in the form of the W3C Baggage header, their values percent-encoded, as OpenTelemetry reads them. */
const PAIRS = z
  .string()
  .transform((list, { addIssue }): Readonly<Record<string, string>> => {
    const pairs = list.split(',').map((pair) => /^\s*([!-<>-~]{1,255})=\s*([ -~]{0,4096}?)\s*$/.exec(pair));
    try {
      return Object.fromEntries(
        pairs.map((pair) => {
          const [, key = '', value = ''] = pair ?? [];
          if (key === '') throw new URIError('no pair');
          return [key, decodeURIComponent(value)];
        }),
      );
    } catch {
      addIssue({ code: 'custom' });
      return z.NEVER;
    }
  })
  .describe('key=value pairs, comma-separated, values percent-encoded');

/** Names and values that a header can have. */
const HEADERS = PAIRS.refine((pairs) =>
  Object.entries(pairs).every(
    ([name, value]) => /^[!#$%&'*+.^`|~\w-]+$/.test(name) && /^[ -~]*$/.test(value),
  ),
).describe(`${PAIRS.description} visible characters`);

/** OpenTelemetry's own names and values (its specification, "Environment Variable Specification"). */
export const tracingVariables = z.object({
  endpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'base URL of an OTLP/HTTP receiver of traces; no traces when unset',
    BASE_URL,
  ),
  headers: secret('OTEL_EXPORTER_OTLP_HEADERS', 'headers of each export, such as a token', HEADERS),
  serviceName: optional(
    'OTEL_SERVICE_NAME',
    'name of the service in traces',
    text('a name', /^[\x20-\x7e]{1,255}$/),
  ),
  resourceAttributes: optional(
    'OTEL_RESOURCE_ATTRIBUTES',
    'attributes of every span, such as deployment.environment.name=production',
    PAIRS,
  ),
  sampler: variable('OTEL_TRACES_SAMPLER', 'parentbased_always_on', 'which requests are traced', SAMPLERS),
  samplerRatio: variable(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    'share of requests that the ratio samplers trace',
    SHARE,
  ),
  isDisabled: variable(
    'OTEL_SDK_DISABLED',
    'false',
    'true: no traces, whatever else is set',
    z.stringbool({ truthy: ['true'], falsy: ['false'] }).describe('true or false'),
  ),
});

import type { Logger } from 'pino';
import type { Config } from '#server/config.ts';
import { NO_TRACING, type Tracing } from './tracing.ts';

/** Makes the tracing that is configured. OpenTelemetry is imported here, because most sites do not need it. */
export async function openTracing({ endpoint, ...options }: Config['tracing']): Promise<OpenedTracing> {
  if (endpoint === null || options.isDisabled)
    return { tracing: NO_TRACING, logFields: null, reportTo: () => undefined };
  const { createOpenTelemetryTracing } = await import('./opentelemetry-tracing.ts');
  return createOpenTelemetryTracing({ ...options, endpoint });
}

export interface OpenedTracing {
  tracing: Tracing;
  /** Returns the fields that each log line of a request carries; null where there are none. */
  logFields: (() => object) | null;
  /** Where to report that spans cannot be sent. The logger needs `logFields` first. */
  reportTo(logger: Pick<Logger, 'warn' | 'info'>): void;
}

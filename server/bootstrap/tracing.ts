import type { Config } from '#server/config.ts';
import { NO_TRACING, type OpenedTracing } from '#server/tracing/tracing.ts';

/** Makes the tracing that is configured. OpenTelemetry is imported here, because most sites do not need it. */
export async function openTracing({ endpoint, ...options }: Config['tracing']): Promise<OpenedTracing> {
  if (endpoint === null || options.isDisabled)
    return { tracing: NO_TRACING, logFields: null, reportTo: () => undefined };
  const { createOpenTelemetryTracing } = await import('#server/tracing/opentelemetry-tracing.ts');
  return createOpenTelemetryTracing({ ...options, endpoint });
}

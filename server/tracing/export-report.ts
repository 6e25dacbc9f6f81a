import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

/** Returns an exporter that logs when exports begin to fail, and when they succeed again: not each failure. */
export function createExportReport(exporter: SpanExporter) {
  let logger: Pick<Logger, 'warn' | 'info'> | null = null;
  let isFailing = false;

  function observe({ code, error: err }: ExportResult, spans: number): void {
    const fails = code !== ExportResultCode.SUCCESS;
    if (fails === isFailing) return;
    isFailing = fails;
    if (fails) logger?.warn({ err, spans }, 'traces cannot be sent: spans are dropped');
    else logger?.info('traces are sent again');
  }

  return {
    exporter: {
      export(spans, onResult) {
        exporter.export(spans, (result) => {
          observe(result, spans.length);
          onResult(result);
        });
      },
      shutdown: () => exporter.shutdown(),
      forceFlush: async () => exporter.forceFlush?.(),
    } satisfies SpanExporter,
    to(given: Pick<Logger, 'warn' | 'info'>): void {
      logger = given;
    },
  };
}

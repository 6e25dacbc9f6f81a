import type { Tracing } from './tracing.ts';

/** The parts of a call that its span names. */
interface TracedCall {
  method: string;
  /** Its host alone becomes an attribute. */
  url: string;
}

/**
 * Runs a call that belongs to no request, in a trace of its own. Whom it calls gets no `traceparent`: CDNs and search engines
 * take no part in this site's traces.
 */
export function traceCall<T extends { status: number }>(
  tracing: Tracing,
  name: string,
  { method, url }: TracedCall,
  call: () => Promise<T>,
): Promise<T> {
  const attributes = { 'http.request.method': method, 'server.address': new URL(url).hostname };
  return tracing.root(name, null, () =>
    tracing.child(method, { kind: 'client', attributes }, async (span) => {
      const response = await call();
      span.setAttributes({ 'http.response.status_code': response.status });
      return response;
    }),
  );
}

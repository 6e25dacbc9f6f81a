import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';

/** A request for an article's document, and how it was answered. */
export interface SeenRequest {
  method: string;
  status: number;
  headers: IncomingHttpHeaders;
}

/** True for a reader's own look at an article: not a HEAD, not a prefetch, not a crawler that names itself. */
export function countsAsView({ method, status, headers }: SeenRequest): boolean {
  if (method !== 'GET' || (status !== 200 && status !== 304)) return false;
  return !isPrefetch(headers) && !isbot(headers['user-agent']);
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((purpose) =>
    String(purpose ?? '').includes('prefetch'),
  );
}

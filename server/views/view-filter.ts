import type { IncomingHttpHeaders } from 'node:http';
import { createIsbotFromList, isbotPatterns, list } from 'isbot';
import { LRUCache } from 'lru-cache';

/** Headless browsers and HTTP libraries: isbot matches them too, but they name a tool, not a crawler. */
const TOOLS = [
  'HeadlessChrome/1.0 Safari/1.0',
  'Playwright/1.0 (x64) node/1.0',
  'PostmanRuntime/1.0',
  'Wget/1.0',
  'curl/1.0',
  'node',
  'node-superagent/1.0',
  'python-requests/1.0',
  'undici',
];

const toolPatterns = new Set(TOOLS.flatMap((tool) => isbotPatterns(tool)));
const matchesCrawler = createIsbotFromList(list.filter((pattern) => !toolPatterns.has(pattern)));

/** Measured: 4.5 µs for all patterns, 0.1 µs from this cache. A warm page of an article pays one of them. */
const crawlers = new LRUCache<string, boolean>({ max: 500, memoMethod: matchesCrawler });
/** Longer than any browser's `User-Agent`: not worth the memory. */
const MAX_CACHED_LENGTH = 400;

/** Whether a `User-Agent` is that of a crawler that names itself. */
export function isCrawler(userAgent: string): boolean {
  return userAgent.length > MAX_CACHED_LENGTH ? matchesCrawler(userAgent) : crawlers.memo(userAgent);
}

/** A request for a page, and the status of its response. */
export interface PageRequest {
  method: string;
  status: number;
  headers: IncomingHttpHeaders;
}

/**
 * Whether a request counts as a view: a GET with 200 or 304, no prefetch, no crawler that names itself, and no page that
 * is asked for as a picture, a script or a frame, of another site as well.
 */
export function isCountableView({ method, status, headers }: PageRequest): boolean {
  if (method !== 'GET' || (status !== 200 && status !== 304)) return false;
  return isDocument(headers) && !isPrefetch(headers) && !isCrawler(headers['user-agent'] ?? '');
}

/** Clients that are not browsers send neither header. */
function isDocument(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] === 'no-cors') return false;
  return (headers['sec-fetch-dest'] ?? 'document') === 'document';
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((purpose) =>
    String(purpose ?? '').includes('prefetch'),
  );
}

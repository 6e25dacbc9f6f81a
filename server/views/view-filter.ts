import type { IncomingHttpHeaders } from 'node:http';
import { createIsbotFromList, isbotPatterns, list } from 'isbot';
import { LRUCache } from 'lru-cache';

/** Clients without a window and plain HTTP libraries: they name a tool, not a crawler. */
const TOOLS = ['HeadlessChrome/1.0 Safari/1.0', 'node', 'undici', 'node-superagent/1.0', 'curl/1.0'];

const toolPatterns = new Set(TOOLS.flatMap((tool) => isbotPatterns(tool)));
const matchesACrawler = createIsbotFromList(list.filter((pattern) => !toolPatterns.has(pattern)));

/** Browsers are few and their names repeat, and a look at all patterns takes longer than the rest of a warm answer's care. */
const crawlers = new LRUCache<string, boolean>({ max: 500, memoMethod: matchesACrawler });
/** A name longer than any browser's is not worth the memory. */
const KEPT_LENGTH = 400;

function namesACrawler(agent: string): boolean {
  return agent.length > KEPT_LENGTH ? matchesACrawler(agent) : crawlers.memo(agent);
}

/** A request for an article's document, and how it was answered. */
export interface SeenRequest {
  method: string;
  status: number;
  headers: IncomingHttpHeaders;
}

/** True for a reader's own look at an article: not a HEAD, not a prefetch, not a crawler that names itself. */
export function isCountableView({ method, status, headers }: SeenRequest): boolean {
  if (method !== 'GET' || (status !== 200 && status !== 304)) return false;
  return !isPrefetch(headers) && !namesACrawler(headers['user-agent'] ?? '');
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((purpose) =>
    String(purpose ?? '').includes('prefetch'),
  );
}

import { vi } from 'vitest';

/** Responses by method and path, the query left out: `GET /api/events`. */
type Responses = Record<string, (request: Request) => Response | Promise<Response>>;

/** The response that every page needs: menus without entries. */
export const NAVIGATION: Responses = { 'GET /api/navigation': () => Response.json({ menus: [] }) };

/**
 * Replaces `fetch` until the test ends. Returns the requests so far, as method, path and query. A request without a
 * response is written to the console, which fails the test.
 */
export function stubApi(responses: Responses): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search}`);
    const response = responses[`${request.method} ${pathname}`];
    if (!response) {
      console.error(`No response is stubbed for ${request.method} ${pathname}`);
      throw new TypeError('Failed to fetch');
    }
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
    return Promise.race([response(request), aborted]);
  });
  return requests;
}

import { request } from 'undici';
import { createAgent, type ForwardProxies } from '#server/outgoing-requests.ts';

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 4_096;

/** Creates a public IP lookup over HTTP. */
export function createIpLookup(url: string, proxies: ForwardProxies) {
  const dispatcher = createAgent({ maxResponseSize: MAX_BYTES }, proxies);
  let closed: Promise<void> | null = null;
  return {
    /** Resolves with unvalidated JSON; rejects on failure or timeout. */
    async lookup(): Promise<unknown> {
      const { statusCode, body } = await request(url, {
        dispatcher,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { accept: 'application/json' },
      });
      const text = await body.text();
      // `request` follows no redirect.
      if (statusCode !== 200) throw new Error(`the public IP lookup responded with ${statusCode}`);
      return JSON.parse(text);
    },
    /** Ends its connections, each when its lookup is done. May be called again. */
    close: () => (closed ??= dispatcher.close()),
  };
}

import { Agent, request } from 'undici';

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 4_096;

/** Returns a public IP lookup over HTTP. It resolves with unvalidated JSON, and rejects on failure or timeout. */
export function createIpLookup(url: string, timeoutMs = TIMEOUT_MS): () => Promise<unknown> {
  const dispatcher = new Agent({ maxResponseSize: MAX_BYTES });
  return async () => {
    const { statusCode, body } = await request(url, {
      dispatcher,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json' },
    });
    const text = await body.text();
    // `request` follows no redirect.
    if (statusCode !== 200) throw new Error(`the public IP lookup responded with ${statusCode}`);
    return JSON.parse(text);
  };
}

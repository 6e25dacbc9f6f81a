import { fetch } from 'undici';

const DEADLINE_MS = 2_000;
const MAX_BYTES = 4_096;

/** A public-IP lookup over HTTP: what it answers is unknown until it has been checked. Rejects when it fails or is late. */
export function createIpLookup(url: string, deadlineMs = DEADLINE_MS): () => Promise<unknown> {
  return async () => {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(deadlineMs),
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    if (!response.ok) throw new Error(`the address lookup answered ${response.status}`);
    return JSON.parse(await limitedText(response.body));
  };
}

async function limitedText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the address lookup answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

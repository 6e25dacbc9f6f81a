import { Agent, request } from 'node:http';

/** The response to a verbatim request target. */
export interface SpelledResponse {
  status: number;
  /** Empty where there is none. */
  location: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request target verbatim, which other clients normalise, and follows no redirect. */
export function sendAsSpelled(origin: string, target: string, method = 'GET'): Promise<SpelledResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, path: target, method, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location ?? '',
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/** An image host on loopback that serves what a test says, and records what it was asked. */
export interface ScriptedImageHost {
  /** Base URL, with a prefix that every request must stay below. */
  baseUrl: string;
  requests: { path: string; headers: NodeJS.Dict<string | string[]> }[];
  /** Decides the responses to a path from now on; 404 for all others. */
  serve(path: string, listener: RequestListener): void;
  close(): Promise<void>;
}

export const PREFIX = '/base';

export async function startImageHost(): Promise<ScriptedImageHost> {
  const listeners = new Map<string, RequestListener>();
  const requests: ScriptedImageHost['requests'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const listener = listeners.get(path);
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${PREFIX}`,
    requests,
    serve: (path, listener) => void listeners.set(`${PREFIX}${path}`, listener),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends bytes as a picture. */
export function sendPicture(bytes: Buffer): RequestListener {
  return (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
}

/** A picture that does not compress to nothing: a gradient with noise, always the same. */
export async function makePicture(width: number, height: number, channels: 3 | 4 = 3): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * channels);
  for (let index = 0; index < pixels.length; index++)
    pixels[index] = (index / width + ((index * 7919) % 61)) & 255;
  return sharp(pixels, { raw: { width, height, channels } }).png({ compressionLevel: 1 }).toBuffer();
}

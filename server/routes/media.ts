import type { FastifyInstance } from 'fastify';
import { Pool } from 'undici';
import { z } from 'zod';
import { sendNotFound } from '#server/http/error-handler.ts';

const FORWARDED_HEADERS = ['content-type', 'content-length', 'cache-control', 'etag', 'vary'] as const;

/** The parts of a request that decide which image is sent. `*`: the path below `/media/`, decoded once. */
const Params = z.object({ '*': z.string() });
const Query = z.object({
  width: z
    .string()
    .regex(/^\d{1,5}$/)
    .optional()
    .catch(undefined),
});

/**
 * Returns the path of an image at the image host, or null where no image can have that path. It is rebuilt from decoded
 * segments, so that it stays below `/media/` however it was encoded. A path that is still escaped, or names a folder, is
 * rejected.
 */
export function mediaPath(rest: string, width: string | undefined): string | null {
  const segments = rest.split('/');
  if (segments.some((segment) => /^\.{0,2}$|[\\%]|\p{Cc}/u.test(segment))) return null;
  const path = `/media/${segments.map(encodeURIComponent).join('/')}`;
  return width === undefined ? path : `${path}?width=${width}`;
}

export interface MediaRoutesOptions {
  /** Where the images of `/media` are fetched; null where an `IMAGE_HOST` serves them. */
  mediaOrigin: string | null;
}

/**
 * `/media`: the demo CMS's images under this origin. The origin of the pool is fixed: a request decides a path below
 * `/media/` and a width, and nothing else.
 */
export async function mediaRoutes(app: FastifyInstance, { mediaOrigin }: MediaRoutesOptions): Promise<void> {
  if (mediaOrigin === null) return;
  const host = new Pool(mediaOrigin, { connections: 32, headersTimeout: 10_000, bodyTimeout: 10_000 });
  app.addHook('onClose', () => host.destroy());

  app.get('/media/*', async (request, reply) => {
    const path = mediaPath(Params.parse(request.params)['*'], Query.parse(request.query).width);
    if (path === null) return sendNotFound(request, reply);
    const { statusCode, headers, body } = await host.request({
      method: 'GET',
      path,
      headers: {
        accept: request.headers.accept ?? '*/*',
        ...(request.headers['if-none-match'] && { 'if-none-match': request.headers['if-none-match'] }),
      },
    });
    for (const name of FORWARDED_HEADERS) {
      const value = headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.code(statusCode).send(body);
  });
}

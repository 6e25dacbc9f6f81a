import type { FastifyInstance } from 'fastify';
import { Pool } from 'undici';
import { z } from 'zod';
import { sendNotFound } from '#server/http/error-handler.ts';

const PASSED_ON = ['content-type', 'content-length', 'cache-control', 'etag', 'vary'] as const;

/** What of a request decides which picture is sent. `*`: the path below `/media/`, decoded once. */
const Params = z.object({ '*': z.string() });
const Query = z.object({
  width: z
    .string()
    .regex(/^\d{1,5}$/)
    .optional()
    .catch(undefined),
});

/**
 * Returns the path of a picture at its host, or null where none can have it. It is rebuilt from decoded segments, so
 * that it stays below `/media/` however it was spelled. Whatever is still escaped then, or names a folder, is no picture's.
 */
export function mediaPath(rest: string, width: string | undefined): string | null {
  const segments = rest.split('/');
  if (segments.some((segment) => /^\.{0,2}$|[\\%]|\p{Cc}/u.test(segment))) return null;
  const path = `/media/${segments.map(encodeURIComponent).join('/')}`;
  return width === undefined ? path : `${path}?width=${width}`;
}

/**
 * `/media`: the demo CMS's images under this origin. With an `IMAGE_HOST` there is no such route. The client's
 * origin is fixed: a request decides a path below `/media/` and a width, and nothing else.
 */
export function mediaRoutes(app: FastifyInstance, { origin }: { origin: string }): void {
  const host = new Pool(origin, { connections: 32, headersTimeout: 10_000, bodyTimeout: 10_000 });
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
    for (const name of PASSED_ON) {
      const value = headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.code(statusCode).send(body);
  });
}

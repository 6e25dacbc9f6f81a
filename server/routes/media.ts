import type { FastifyInstance } from 'fastify';
import { request as fetchMedia } from 'undici';

const PASSED_ON = ['content-type', 'content-length', 'cache-control', 'etag', 'vary'] as const;

/** `/media`: the demo newsroom's images under this origin. With an `IMAGE_HOST` there is no such route. */
export function mediaRoutes(app: FastifyInstance, { origin }: { origin: string }): void {
  app.get('/media/*', async (request, reply) => {
    const { statusCode, headers, body } = await fetchMedia(new URL(request.url, origin), {
      headers: {
        accept: request.headers.accept ?? '*/*',
        ...(request.headers['if-none-match'] && { 'if-none-match': request.headers['if-none-match'] }),
      },
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    });
    for (const name of PASSED_ON) {
      const value = headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.code(statusCode).send(body);
  });
}

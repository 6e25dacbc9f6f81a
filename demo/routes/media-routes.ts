import type { FastifyInstance } from 'fastify';
import type { GetPicture, PictureFormat } from '#demo/picture-folder.ts';
import { sendProblem } from './problem.ts';

const WIDTHS = [100, 150, 200, 250, 300, 320, 400, 500, 600, 700, 800, 1000, 1200, 1600] as const;
const NARROWEST = 16;
const WIDEST = 1600;

/** `GET /media/<path>?width=`: images of the demo's image host, in the best format of the `Accept` header. */
export function mediaRoutes(app: FastifyInstance, { getPicture }: { getPicture: GetPicture }): void {
  app.get<{ Params: { '*': string }; Querystring: Record<string, unknown> }>(
    '/media/*',
    async ({ params, query, headers }, reply) => {
      const format = formatFor(headers.accept ?? '');
      const found = await getPicture({ path: `/${params['*']}`, width: widthFor(query.width), format });
      if (!found) return sendProblem(reply, 404, 'There is no such picture.');
      reply
        .header('vary', 'Accept')
        .header('etag', found.etag)
        .header('cache-control', 'public, max-age=31536000, immutable');
      if (isNamed(found.etag, headers['if-none-match'])) return reply.code(304).send();
      return reply.type(`image/${format}`).send(found.bytes);
    },
  );
}

/** Rounds a width up to the next one that is served. Without a width: the widest, which takes the place of the original. */
function widthFor(asked: unknown): number {
  const pixels = typeof asked === 'string' && /^\d{1,9}$/.test(asked) ? Number(asked) : WIDEST;
  const bounded = Math.min(WIDEST, Math.max(NARROWEST, pixels));
  return WIDTHS.find((width) => width >= bounded) ?? WIDEST;
}

function formatFor(accept: string): PictureFormat {
  const takes = (format: string) =>
    accept.split(',').some((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      return type === `image/${format}` && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
  if (takes('avif')) return 'avif';
  if (takes('webp')) return 'webp';
  return takes('png') ? 'png' : 'jpeg';
}

function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(etag);
}

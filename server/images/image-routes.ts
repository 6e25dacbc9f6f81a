import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { z } from 'zod';
import { clientOf } from '#server/http/rate-limit.ts';
import { sendWithEtag } from '#server/http/response/send-response.ts';
import { problem, sendProblem } from '#server/problem-details.ts';
import type { Services } from '#server/service-types.ts';
import { splitTarget } from '#shared/canonical-path.ts';
import { SHARE_CROP, SHARE_IMAGE } from '#shared/urls.ts';
import { ImageHostFailed, ImageNotFound, TransformTimedOut } from './image-host.ts';
import { FRESH_S, NOT_FOUND_S, STALE_S } from './image-service.ts';
import { type ImageVariant, negotiateFormat, servedWidth } from './widths-and-formats.ts';

const BELOW = '/media';
const Query = z.object({
  width: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .optional()
    .catch(undefined),
  crop: z.literal(SHARE_CROP).optional().catch(undefined),
});

const CACHE_CONTROL = `public, max-age=${FRESH_S}, stale-while-revalidate=${STALE_S}`;
/** A refresh is under way, or the image host fails: whoever has this asks again soon. */
const STALE_CACHE_CONTROL = `public, max-age=60, stale-while-revalidate=${STALE_S}`;

const NO_SUCH_PICTURE = problem(404, 'There is no such picture.');
const NOT_FETCHED = problem(502, 'The picture could not be fetched. Please try again in a moment.');

/**
 * `GET /media/{path}?width={n}`: pictures of the image host in the width and format that a browser wants. The path is canonical
 * and leaves no prefix: the request guard and the canonical redirect have seen it.
 * `?crop=1200x630`: for where a page is shared, JPEG to everyone.
 */
export async function imageRoutes(
  app: FastifyInstance,
  { images, config, clientIpOf }: Pick<Services, 'images' | 'config' | 'clientIpOf'>,
): Promise<void> {
  if (images === null) return;
  app.addHook('onClose', () => images.close());
  // Cloudflare ignores `Vary: Accept`: the first reader's AVIF would go to everyone. WebP is what every browser takes.
  const isForAll = config.cdn.name === 'cloudflare';

  const handler: RouteHandlerMethod = async (request, reply) => {
    const path = splitTarget(request.url)[0].slice(BELOW.length);
    const format = isForAll ? 'webp' : negotiateFormat(request.headers.accept);
    const { width, crop } = Query.parse(request.query);
    const asked = { width: servedWidth(width), height: null, format };
    const variant: ImageVariant = {
      path,
      ...(crop === undefined ? asked : { ...SHARE_IMAGE, format: 'jpeg' }),
    };
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    try {
      const client = clientOf(clientIpOf(request.raw));
      const { image, isStale } = await images.getImage(variant, client, left.signal);
      reply.headers({
        ...(!isForAll && { vary: 'Accept' }),
        'cache-control': isStale ? STALE_CACHE_CONTROL : CACHE_CONTROL,
      });
      return sendWithEtag(request, reply, { ...image, body: image.bytes });
    } catch (error) {
      if (error instanceof ImageNotFound)
        return sendProblem(reply.header('cache-control', `public, max-age=${NOT_FOUND_S}`), NO_SUCH_PICTURE);
      if (error instanceof ImageHostFailed || error instanceof TransformTimedOut)
        return sendProblem(reply.header('cache-control', 'no-store'), NOT_FETCHED);
      throw error;
    }
  };
  // HEAD by name: the one that Fastify adds would send a length with 304.
  app.route({ method: ['GET', 'HEAD'], url: `${BELOW}/*`, handler });
}

import { z } from 'zod';
import { descriptionIn } from './bodies.ts';
import { text, type WpPost } from './post-fields.ts';
import { type DescribingPlugin, type Discovery, HEAD_ROUTE } from './rest-api-discovery.ts';
import type { Query, RestClient } from './rest-client.ts';

/** How the description of a post is read that a plugin keeps apart from it. */
interface Reader {
  request: (post: WpPost) => [path: string, query: Query];
  description: z.ZodType<string | null | undefined>;
}

const READERS: Readonly<Record<DescribingPlugin, Reader>> = {
  'seopress/v1': {
    request: ({ id }) => [`seopress/v1/posts/${id}`, {}],
    description: z
      .object({ data: z.object({ description: text }) })
      .transform(({ data }) => data.description),
  },
  'rankmath/v1': {
    request: ({ link }) => [HEAD_ROUTE.slice(1), { url: link }],
    description: z.object({ head: z.string() }).transform(({ head }) => descriptionIn(head)),
  },
};

/** Returns the description that a plugin has of a post; null where it has none, or fails: the post is shown without it. */
export async function describedApart(
  post: WpPost,
  { root, describedBy }: Discovery,
  client: RestClient,
): Promise<string | null> {
  if (describedBy === null) return null;
  const { request, description } = READERS[describedBy];
  const response = await client.get(root, ...request(post)).catch(() => null);
  return description.safeParse(response?.body).data || null;
}

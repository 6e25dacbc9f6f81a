import { z } from 'zod';
import { descriptionIn } from './bodies.ts';
import { text, type WpPost } from './post-fields.ts';
import type { Discovery } from './rest-api-discovery.ts';
import type { Query, RestClient } from './rest-client.ts';

/** Plugins that keep the description of a post apart from it, by the namespace of their REST API. */
const PLUGINS: {
  namespace: string;
  request: (post: WpPost) => [path: string, query: Query];
  description: z.ZodType<string | null | undefined>;
}[] = [
  {
    namespace: 'seopress/v1',
    request: ({ id }) => [`seopress/v1/posts/${id}`, {}],
    description: z
      .object({ data: z.object({ description: text }) })
      .transform(({ data }) => data.description),
  },
  {
    // Rank Math, where its headless support is switched on.
    namespace: 'rankmath/v1',
    request: ({ link }) => ['rankmath/v1/getHead', { url: link }],
    description: z.object({ head: z.string() }).transform(({ head }) => descriptionIn(head)),
  },
];

/** Returns the description that a plugin has of a post; null where it has none, or fails: the post is shown without it. */
export async function describedApart(
  post: WpPost,
  { root, namespaces }: Discovery,
  client: RestClient,
): Promise<string | null> {
  const plugin = PLUGINS.find(({ namespace }) => namespaces.includes(namespace));
  if (!plugin) return null;
  const response = await client.get(root, ...plugin.request(post)).catch(() => null);
  return plugin.description.safeParse(response?.body).data || null;
}

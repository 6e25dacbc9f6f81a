import { z } from 'zod';
import { mediaHostsOf } from './pictures.ts';
import { inPlaceOf, type RestClient, WordpressFailed } from './rest-client.ts';

/** What is known of a WordPress before its content is asked for. */
export interface Discovery {
  /** URL below which the REST API is, with a slash at its end; always at the host of WORDPRESS_URL. */
  root: string;
  /** Origin of WORDPRESS_URL. */
  origin: string;
  /** Base URLs under which it writes its links, without a slash at their end. */
  homes: string[];
  /** Hosts of its media library: of its newest and its oldest files. */
  mediaHosts: ReadonlySet<string>;
  /** Whether The Events Calendar is there. */
  hasEvents: boolean;
}

const Index = z.object({
  home: z.url().catch(''),
  url: z.url().catch(''),
  namespaces: z.array(z.string()).refine((names) => names.includes('wp/v2')),
});
const Media = z.array(z.object({ source_url: z.string() })).catch([]);
/** A library that has moved has old files elsewhere. */
const ORDERS = ['desc', 'asc'];
/** `Link: <https://example.org/wp-json/>; rel="https://api.w.org/"`. */
const REST_LINK = /<([^>]+)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/;

/** Finds the REST API of a WordPress as it says where that is, else where it usually is. Throws `WordpressFailed`. */
export async function discover(address: string, client: RestClient): Promise<Discovery> {
  // A front page that takes too long says nothing of the REST API.
  const front = await client.request(`${address}/`).catch(inPlaceOf(() => true, null));
  const { origin } = new URL(address);
  const secure = address.replace(/^http:/, 'https:');
  if (secure !== address && URL.parse(front?.header('location') ?? '')?.origin === new URL(secure).origin)
    return discover(secure, client);
  const link = URL.parse(REST_LINK.exec(front?.header('link') ?? '')?.[1] ?? '');
  const named = link === null ? [] : [origin + link.pathname + link.search];
  const failures: WordpressFailed[] = [];
  for (const root of new Set([...named, `${address}/wp-json/`, `${address}/?rest_route=/`])) {
    const response = await client
      .get(root, '', { _fields: 'home,url,namespaces' })
      .catch((error: unknown) => {
        if (!(error instanceof WordpressFailed)) throw error;
        failures.push(error);
      });
    const index = Index.safeParse(response?.body).data;
    if (!index) continue;
    const [media] = await Promise.all([
      Promise.all(
        ORDERS.map((order) =>
          client
            .get(root, 'wp/v2/media', { per_page: 100, orderby: 'id', order, _fields: 'source_url' })
            // A library that cannot be read has no other host.
            .catch(() => null),
        ),
      ),
      client.list(root, 'wp/v2/posts', { per_page: 1, _fields: 'id' }, z.unknown()),
    ]);
    const files = media.flatMap((response) => Media.parse(response?.body));
    const homes = [index.home, address, index.url].filter(Boolean);
    return {
      root,
      origin,
      homes: [...new Set(homes.map((home) => home.replace(/\/+$/, '')))],
      mediaHosts: new Set(mediaHostsOf(files.map(({ source_url }) => source_url))),
      hasEvents: index.namespaces.includes('tribe/events/v1'),
    };
  }
  const [telling] = failures.filter(({ status }) => status !== 404 && status !== 200);
  const [first] = failures.map(({ message }) => ` (${message})`);
  throw telling ?? new WordpressFailed(`there is no REST API of WordPress${first ?? ''}`, 404);
}

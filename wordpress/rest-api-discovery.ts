import { z } from 'zod';
import { EVENT_FOLDER, pathBelow } from './links.ts';
import { mediaHostsOf } from './pictures.ts';
import { slug } from './post-fields.ts';
import { inPlaceOf, type RestClient, WordpressFailed } from './rest-client.ts';

export type DescribingPlugin = 'seopress/v1' | 'rankmath/v1';

/** What is known of a WordPress before its content is asked for. */
export interface Discovery {
  /** URL below which the REST API is, with a slash at its end; always at the host of WORDPRESS_URL. */
  root: string;
  /** Origin of WORDPRESS_URL. */
  origin: string;
  /** Base URL under which it writes its links, and all under which they may be written; without a slash at their end. */
  home: string;
  homes: string[];
  /** Hosts of its media library: of its newest and its oldest files, and of featured images that were read since. */
  mediaHosts: Set<string>;
  /** Path below which The Events Calendar has its events, such as `/event`; null where it is not there. */
  eventFolder: string | null;
  /** The plugin that tells descriptions of posts apart from these, by its namespace. */
  describedBy: DescribingPlugin | null;
}

export const EVENTS = 'tribe/events/v1/events';
/** Without dates The Events Calendar sends what is to come. */
export const ANY_DATE = { start_date: '2000-01-01', end_date: '2100-01-01' };

/** Of Rank Math, which has it only where its headless support is on. */
export const HEAD_ROUTE = '/rankmath/v1/getHead';
const Index = z.object({
  home: z.url().catch(''),
  url: z.url().catch(''),
  namespaces: z.array(z.string()).refine((names) => names.includes('wp/v2')),
  routes: z
    .object({ [HEAD_ROUTE]: z.object({}) })
    .nullable()
    .catch(null),
});
const Events = z
  .object({ events: z.array(z.object({ url: z.string(), slug })).min(1) })
  .transform(({ events: [first] }) => first);
const Media = z.array(z.object({ source_url: z.string() })).catch([]);
/** A library that has moved has old files elsewhere. */
const ORDERS = ['desc', 'asc'];
const withoutResponse = inPlaceOf(() => true, null);
/** `Link: <https://example.org/wp-json/>; rel="https://api.w.org/"`. */
const REST_LINK = /<([^>]+)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/;

/** Finds the REST API of a WordPress as it says where that is, else where it usually is. Throws `WordpressFailed`. */
export async function discover(address: string, client: RestClient): Promise<Discovery> {
  // A front page that takes too long says nothing of the REST API.
  const front = await client.request(`${address}/`).catch(withoutResponse);
  const { origin } = new URL(address);
  const secure = address.replace(/^http:/, 'https:');
  if (secure !== address && URL.parse(front?.header('location') ?? '')?.origin === new URL(secure).origin)
    return discover(secure, client);
  const link = URL.parse(REST_LINK.exec(front?.header('link') ?? '')?.[1] ?? '');
  const named = link === null ? [] : [origin + link.pathname + link.search];
  const failures: WordpressFailed[] = [];
  for (const root of new Set([...named, `${address}/wp-json/`, `${address}/?rest_route=/`])) {
    const response = await client
      .get(root, '', { _fields: `home,url,namespaces,routes.${HEAD_ROUTE}.namespace` })
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
    const homes = [index.home || address, address, index.url]
      .filter(Boolean)
      .map((home) => home.replace(/\/+$/, ''));
    return {
      root,
      origin,
      home: homes[0] ?? address,
      homes: [...new Set(homes)],
      mediaHosts: new Set(mediaHostsOf(files.map(({ source_url }) => source_url))),
      eventFolder: index.namespaces.includes('tribe/events/v1')
        ? await eventFolder(root, homes, client)
        : null,
      describedBy: index.namespaces.includes('seopress/v1') ? 'seopress/v1' : index.routes && 'rankmath/v1',
    };
  }
  const [telling] = failures.filter(({ status }) => status !== 404 && status !== 200);
  const [first] = failures.map(({ message }) => ` (${message})`);
  throw telling ?? new WordpressFailed(`there is no REST API of WordPress${first ?? ''}`, 404);
}

/** A setting of the plugin that its REST API tells by nothing but the addresses of events. */
async function eventFolder(root: string, homes: readonly string[], client: RestClient): Promise<string> {
  const response = await client.get(root, EVENTS, { ...ANY_DATE, per_page: 1 }).catch(withoutResponse);
  const event = Events.safeParse(response?.body).data;
  const path = (event && pathBelow(event.url, homes)) ?? '';
  const end = path.lastIndexOf(`/${event?.slug}`);
  return end > 0 ? path.slice(0, end) : EVENT_FOLDER;
}

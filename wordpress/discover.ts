import { isIP } from 'node:net';
import { z } from 'zod';
import { type RestClient, WordpressFailed } from './rest-client.ts';

/** What is known of a WordPress before its content is asked for. */
export interface Discovery {
  /** URL below which the REST API is, with a slash at its end; always at the host of WORDPRESS_URL. */
  root: string;
  /** Origin of WORDPRESS_URL. */
  origin: string;
  /** Base URLs under which it writes its links, without a slash at their end. */
  homes: string[];
  /** Hosts of its media library. */
  mediaHosts: string[];
  hasEvents: boolean;
}

const Index = z.object({
  home: z.url().catch(''),
  url: z.url().catch(''),
  namespaces: z.array(z.string()).refine((names) => names.includes('wp/v2')),
});
const Media = z.array(z.object({ source_url: z.string() }));
/** `Link: <https://example.org/wp-json/>; rel="https://api.w.org/"`. */
const REST_LINK = /<([^>]+)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/;
const TLS_ERROR = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/;

/** Finds the REST API of a WordPress as it says where that is, else where it usually is. Throws `WordpressFailed`. */
export async function discover(address: string, client: RestClient): Promise<Discovery> {
  try {
    const { base, link } = await frontPage(address, client);
    const { origin } = new URL(base);
    const named = link === null ? [] : [origin + link.pathname + link.search];
    const failures: WordpressFailed[] = [];
    for (const root of new Set([...named, `${base}/wp-json/`, `${base}/?rest_route=/`])) {
      const index = await client.get(root, '', { _fields: 'home,url,namespaces' }).catch((error: unknown) => {
        if (!(error instanceof WordpressFailed)) throw error;
        failures.push(error);
      });
      const { success, data } = Index.safeParse(index?.body);
      if (!success) continue;
      await client.get(root, 'wp/v2/posts', { per_page: 1, _fields: 'id' });
      const homes = [base, data.home, data.url].filter(Boolean).map((home) => home.replace(/\/+$/, ''));
      const mediaHosts = await mediaHostsOf(root, client);
      return {
        root,
        origin,
        homes: [...new Set(homes)],
        mediaHosts,
        hasEvents: data.namespaces.includes('tribe/events/v1'),
      };
    }
    throw (
      failures.find(({ status }) => status !== 404) ??
      new WordpressFailed('there is no REST API of WordPress', 404)
    );
  } catch (error) {
    if (!(error instanceof WordpressFailed)) throw error;
    const { status, code } = error;
    if (status === 401 || status === 403)
      throw new WordpressFailed(`its REST API is closed (status ${status})`, status);
    if (TLS_ERROR.test(code ?? '')) throw new WordpressFailed(`its TLS certificate is not trusted (${code})`);
    throw error;
  }
}

/** Returns the base URL, over https where the front page says so, and the link to the REST API. */
async function frontPage(address: string, client: RestClient): Promise<{ base: string; link: URL | null }> {
  const front = await client.request(`${address}/`);
  const target = URL.parse(front.header('location') ?? '');
  const secure = address.replace(/^http:/, 'https:');
  if (secure !== address && target?.origin === new URL(secure).origin) return frontPage(secure, client);
  return { base: address, link: URL.parse(REST_LINK.exec(front.header('link') ?? '')?.[1] ?? '') };
}

/** Where plugins keep a library elsewhere, its files name the host. A library that cannot be read has no other. */
async function mediaHostsOf(root: string, client: RestClient): Promise<string[]> {
  const files = await client
    .get(root, 'wp/v2/media', { per_page: 100, _fields: 'source_url' })
    .catch(() => null);
  const urls = (Media.safeParse(files?.body).data ?? []).map(({ source_url }) => URL.parse(source_url));
  return [...new Set(urls.flatMap((url) => (url === null || isIP(url.hostname) !== 0 ? [] : url.host)))];
}

import type { Config } from '#server/config/config.ts';

/** The CDNs that `CDN` names. */
export const CDN_NAMES = ['varnish', 'fastly', 'cloudflare'] as const;
export type CdnName = (typeof CDN_NAMES)[number];

/** One HTTP call that purges. */
export interface PurgeCall {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

/** What one CDN calls things. */
export interface CdnVendor {
  /** Response header with the freshness for the CDN alone (RFC 9213 for `cdn-cache-control`). */
  freshnessHeader: string;
  /** Response header with the tags of a response, and what separates them. */
  tagHeader: string;
  tagSeparator: string;
  /** Tags of one purge call at most. */
  maxTags: number;
  /** Characters of all tags of one purge call at most, with a separator each. */
  maxTagLength: number;
  /** Returns the call that purges some tags. `soft`: they become stale, where the CDN knows that. */
  purgeTags(tags: readonly string[], soft: boolean): PurgeCall;
  purgeAll(): PurgeCall;
}

/** Returns what a CDN calls things. `config` has been checked: what the vendor needs is there. */
export function cdnVendor(name: CdnName, { purgeUrl, token, zone }: Config['cdn']): CdnVendor {
  return VENDORS[name]({ purgeUrl: purgeUrl ?? API[name], token: token ?? '', zone: zone ?? '' });
}

type Account = Record<'purgeUrl' | 'token' | 'zone', string>;

const API: Record<CdnName, string> = {
  varnish: '',
  fastly: 'https://api.fastly.com',
  cloudflare: 'https://api.cloudflare.com',
};
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' };

const VENDORS: Record<CdnName, (account: Account) => CdnVendor> = {
  // varnish-modules' xkey, as `deploy/varnish/default.vcl` takes it.
  varnish: ({ purgeUrl, token }) => {
    const call = (headers: Record<string, string>): PurgeCall => ({
      url: purgeUrl,
      method: 'PURGE',
      headers: { ...headers, ...(token !== '' && { authorization: `Bearer ${token}` }) },
      body: null,
    });
    return {
      freshnessHeader: 'cdn-cache-control',
      tagHeader: 'xkey',
      tagSeparator: ' ',
      maxTags: 256,
      // They are one header, which Varnish takes up to 8 kB of (`http_req_hdr_len`).
      maxTagLength: 8_000,
      purgeTags: (tags, soft) => call({ [soft ? 'xkey-softpurge' : 'xkey-purge']: tags.join(' ') }),
      purgeAll: () => call({ 'xkey-purge-all': '1' }),
    };
  },
  fastly: ({ purgeUrl, token, zone }) => {
    const service = `${purgeUrl}/service/${encodeURIComponent(zone)}`;
    const headers = { ...JSON_TYPE, 'fastly-key': token };
    return {
      freshnessHeader: 'surrogate-control',
      tagHeader: 'surrogate-key',
      tagSeparator: ' ',
      maxTags: 256,
      maxTagLength: Number.POSITIVE_INFINITY,
      purgeTags: (tags, soft) => ({
        url: `${service}/purge`,
        method: 'POST',
        headers: { ...headers, ...(soft && { 'fastly-soft-purge': '1' }) },
        body: JSON.stringify({ surrogate_keys: tags }),
      }),
      purgeAll: () => ({ url: `${service}/purge_all`, method: 'POST', headers, body: null }),
    };
  },
  cloudflare: ({ purgeUrl, token, zone }) => {
    const call = (body: object): PurgeCall => ({
      url: `${purgeUrl}/client/v4/zones/${encodeURIComponent(zone)}/purge_cache`,
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return {
      freshnessHeader: 'cdn-cache-control',
      tagHeader: 'cache-tag',
      tagSeparator: ',',
      maxTags: 30,
      maxTagLength: Number.POSITIVE_INFINITY,
      purgeTags: (tags) => call({ tags }),
      purgeAll: () => call({ purge_everything: true }),
    };
  },
};

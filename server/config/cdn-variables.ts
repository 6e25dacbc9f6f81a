import { z } from 'zod';
import { CDN_NAMES } from '#server/cdn/cdn-vendors.ts';
import { BASE_URL, oneOf, optional, text, whereValid } from './variable.ts';

/** The CDN in front of all instances. */
export const cdnVariables = z
  .object({
    name: optional('CDN', 'the shared cache in front of all instances', oneOf(CDN_NAMES)),
    purgeUrl: optional('CDN_PURGE_URL', 'where purges go; the vendor’s API when unset', BASE_URL),
    token: optional(
      'CDN_TOKEN',
      'API token of the CDN',
      text('visible characters', /^[\x21-\x7e]{1,512}$/),
      true,
    ),
    zone: optional(
      'CDN_ZONE',
      'Fastly’s service id or Cloudflare’s zone id',
      text('an id of letters and digits', /^[A-Za-z0-9_-]{1,100}$/),
    ),
  })
  .refine(({ name, purgeUrl }) => name !== 'varnish' || purgeUrl !== null, {
    path: ['purgeUrl'],
    message: 'the address that Varnish takes purges at',
    when: whereValid('name', 'purgeUrl'),
  })
  .refine(({ name, token }) => name === null || name === 'varnish' || token !== null, {
    path: ['token'],
    message: 'an API token of the CDN',
    when: whereValid('name', 'token'),
  })
  .refine(({ name, zone }) => name === null || name === 'varnish' || zone !== null, {
    path: ['zone'],
    message: 'a service or zone id of the CDN',
    when: whereValid('name', 'zone'),
  });

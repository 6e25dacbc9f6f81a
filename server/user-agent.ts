import { defaultSite } from '#shared/site.ts';
import packageJson from '../package.json' with { type: 'json' };

/** This software's name in traces and requests. */
export const PRODUCT = defaultSite.name.replaceAll(' ', '');

/** `User-Agent` of every request that this server makes for content: product and version (RFC 9110, 10.1.5). */
export const USER_AGENT = `${PRODUCT}/${packageJson.version}`;

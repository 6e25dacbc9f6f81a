import { defaultSite as site } from '#shared/site.ts';
import packageJson from '../package.json' with { type: 'json' };

/** `User-Agent` of every request that this server makes for content: product and version (RFC 9110, 10.1.5). */
export const USER_AGENT = `${site.identifiers.userAgent}/${packageJson.version}`;

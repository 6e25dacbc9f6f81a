import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { defaultSite } from '#shared/site.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { Config } from './config/config.ts';

/** This software's name in traces and requests. */
export const PRODUCT = defaultSite.name.replaceAll(' ', '');

/** `User-Agent` of every request that this server makes for content: product and version (RFC 9110, 10.1.5). */
export const USER_AGENT = `${PRODUCT}/${packageJson.version}`;

/** Statuses that are about the request itself: sent again, it would be refused again. */
const FINAL: ReadonlySet<number> = new Set([400, 404, 409, 410, 413, 422]);

/**
 * Returns whether an error status says something of the moment, not of the request: an upstream that fails, a token that
 * is refused, a proxy in between, whose 404 or 410 is not the upstream's (`isOfProxy`). Such a request is sent again later.
 */
export function isTransientStatus(status: number, isOfProxy = false): boolean {
  const isAbsence = status === 404 || status === 410;
  return status >= 400 && (!FINAL.has(status) || (isAbsence && isOfProxy));
}

/** Forward proxies of outgoing requests. */
export type ForwardProxies = Config['proxies'];

export const NO_PROXIES: ForwardProxies = { http: null, https: null, except: null };

/** The demo CMS, and whatever else runs on this machine. */
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

export function hasProxy({ http, https }: ForwardProxies): boolean {
  return http !== null || https !== null;
}

/** Makes a pool of connections that go through the proxies. */
export function createAgent(options: Agent.Options, proxies: ForwardProxies): Dispatcher {
  if (!hasProxy(proxies)) return new Agent(options);
  const { http, https, except } = proxies;
  return new EnvHttpProxyAgent({
    ...options,
    // Empty: not unset, for which undici would read the environment itself.
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: except === null ? LOOPBACK : `${LOOPBACK},${except}`,
  });
}

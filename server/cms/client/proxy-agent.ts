import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

/** Forward proxies of outgoing requests. */
export interface ForwardProxies {
  /** URL of the proxy of `http:` requests; null for none. */
  http: string | null;
  /** URL of the proxy of `https:` requests; null for that of `http:`. */
  https: string | null;
  /** Hosts that are asked directly: comma-separated names, each with its subdomains, with or without a port. */
  except: string | null;
}

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

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { PAGES_ROUTE } from '#server/render/page-templates.ts';
import { canonicalPath, splitTarget } from '#shared/canonical-path.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route whose responses are cached, other than that of the pages. */
    cached?: CachedRoute;
  }
}

/** A route whose responses are cached. */
export interface CachedRoute {
  kind: 'api' | 'feed';
  /** Returns the canonical target; null where the route leaves it to the pages. Default: the canonical path. */
  targetOf?: (params: Record<string, string>, query: Record<string, string>) => string | null;
}

/** What a request target means to the routes of the site. `uncached`: its route has no cached responses. */
export interface RoutedTarget {
  kind: CachedRoute['kind'] | 'uncached';
  target: string;
}

/**
 * Returns a plugin, to be registered before all routes, that collects those of GET, and `find`: returns what a request
 * target means to them, null where it is left to the pages. It loads nothing.
 */
export function createCachedRoutes() {
  const routes = new Map<string, CachedRoute | null>();

  async function collect(app: FastifyInstance): Promise<void> {
    app.addHook('onRoute', ({ url, method, config }) => {
      if (url !== PAGES_ROUTE && [method].flat().includes('GET')) routes.set(url, config?.cached ?? null);
    });
  }

  function find(target: string): RoutedTarget | null {
    const [written, search] = splitTarget(target);
    const path = canonicalPath(written);
    if (path === null) return null;
    const query = Object.fromEntries(new URLSearchParams(search));
    let isRouted = false;
    for (const [url, cached] of routes) {
      const found = new URLPattern({ pathname: url }).exec({ pathname: path });
      if (found === null) continue;
      const params = decoded(found.pathname.groups);
      const meant = cached?.targetOf ? cached.targetOf(params, query) : path;
      if (cached !== null && meant !== null) return { kind: cached.kind, target: meant };
      isRouted ||= cached === null;
    }
    return isRouted ? { kind: 'uncached', target: path } : null;
  }

  return { collector: fp(collect, { name: 'cached-routes' }), find };
}

function decoded(groups: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, text = '']) => [name, decodeURIComponent(text)]),
  );
}

export type CachedRoutes = ReturnType<typeof createCachedRoutes>;

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { BadRequest, NotFound } from '#server/errors.ts';
import { METHODS, OTHER_METHOD } from './request-head.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route that matches many paths: whether there is a resource at this target. Default: at every one. */
    hasResource?: (target: string) => boolean | Promise<boolean>;
  }
}

interface RoutedPath {
  methods: Set<string>;
  hasResource: (target: string) => boolean | Promise<boolean>;
}

export type RouteTable = ReturnType<typeof createRouteTable>;

/**
 * Returns the table of an app's routes, and two plugins. `collector`, to be registered before all routes, fills it.
 * `otherMethods`, to be registered after them, adds the methods that each path lacks: OPTIONS is 204, the rest 405
 * (RFC 9110, 15.5.6), both with `Allow`; where there is no resource, 404. So one router decides which path a target is,
 * whatever the method.
 */
export function createRouteTable() {
  const paths = new Map<string, RoutedPath>();

  async function collect(app: FastifyInstance): Promise<void> {
    app.addHook('onRoute', ({ url, method, config }) => {
      const { hasResource = () => true } = config ?? {};
      const path = paths.get(url) ?? { methods: new Set(), hasResource };
      for (const one of [method].flat()) path.methods.add(one);
      paths.set(url, path);
    });
  }

  async function otherMethods(app: FastifyInstance): Promise<void> {
    for (const [url, { methods, hasResource }] of [...paths]) {
      const allow = [...METHODS.filter((method) => methods.has(method)), 'OPTIONS'].join(', ');
      app.route({
        method: [...METHODS, OTHER_METHOD].filter((method) => !methods.has(method)),
        url,
        schema: { hide: true },
        // Before the body is parsed: the method is refused whatever the body is.
        async preParsing(request, reply) {
          if (!(await hasResource(request.url))) throw new NotFound();
          reply.header('allow', allow);
          if (request.method === 'OPTIONS') return reply.code(204).send();
          throw new BadRequest('This address does not take the method.', null, 405);
        },
        handler: () => undefined,
      });
    }
  }

  return { collector: fp(collect, { name: 'route-table' }), otherMethods };
}

/** Parses a query. Of a parameter that is repeated the first value counts, for pages as for everything else. */
export function firstValues(search: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(search)].toReversed());
}

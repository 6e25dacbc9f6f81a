import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { BadRequest, NotFound } from '#server/errors.ts';
import { KNOWN_METHODS, METHODS } from './guard/request-head.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route that matches many paths: whether there is a resource at this target. Default: at every one. */
    hasResource?: (target: string) => boolean | Promise<boolean>;
  }
}

type HasResource = (target: string) => boolean | Promise<boolean>;

interface Path {
  methods: Set<string>;
  hasResource: HasResource;
}

/**
 * Returns two plugins. `collector`, to be registered before all routes, collects the methods of each path. `routes`, to
 * be registered after them, adds the methods that each path lacks: OPTIONS is 204, the rest 405 (RFC 9110, 15.5.6), both
 * with `Allow`; where there is no resource, 404. So one router decides which path a target is, whatever the method.
 */
export function createOtherMethods() {
  const paths = new Map<string, Path>();

  async function collect(app: FastifyInstance): Promise<void> {
    app.addHook('onRoute', ({ url, method, config }) => {
      const path = paths.get(url) ?? { methods: new Set(), hasResource: config?.hasResource ?? (() => true) };
      for (const one of [method].flat()) path.methods.add(one);
      paths.set(url, path);
    });
  }

  async function routes(app: FastifyInstance): Promise<void> {
    for (const [url, { methods, hasResource }] of [...paths]) {
      const allow = [...METHODS.filter((method) => methods.has(method)), 'OPTIONS'].join(', ');
      app.route({
        method: KNOWN_METHODS.filter((method) => !methods.has(method)),
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

  return { collector: fp(collect, { name: 'other-methods' }), routes };
}

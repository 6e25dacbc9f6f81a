import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { BadRequest } from '#server/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route that takes many paths: whether there is a resource at this target. Left out: at every one. */
    hasResource?: (target: string) => boolean | Promise<boolean>;
  }
}

type HasResource = (target: string) => boolean | Promise<boolean>;
type SendNotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface Path {
  methods: Set<string>;
  hasResource: HasResource;
}

/**
 * Notes the methods of the routes that are registered from here on. The function that it returns registers those that
 * each path lacks: OPTIONS is 204, the rest 405 (RFC 9110, 15.5.6), both with `Allow`; where there is no resource, they
 * are what `sendNotFound` makes of them. So one router decides which path a target is, whatever the method.
 */
export function collectMethods(app: FastifyInstance, sendNotFound: SendNotFound) {
  const paths = new Map<string, Path>();

  app.addHook('onRoute', ({ url, method, config }) => {
    const path = paths.get(url) ?? { methods: new Set(), hasResource: config?.hasResource ?? (() => true) };
    for (const one of [method].flat()) path.methods.add(one);
    paths.set(url, path);
  });

  return function rejectOtherMethods(last: FastifyInstance): void {
    for (const [url, { methods, hasResource }] of [...paths]) {
      const allow = [...METHODS.filter((method) => methods.has(method)), 'OPTIONS'].join(', ');
      last.route({
        method: METHODS.filter((method) => !methods.has(method)),
        url,
        schema: { hide: true },
        // Before the body is read: what it is does not matter.
        async preParsing(request, reply) {
          if (!(await hasResource(request.url))) return sendNotFound(request, reply);
          reply.header('allow', allow);
          if (request.method === 'OPTIONS') return reply.code(204).send();
          throw new BadRequest('This address does not take the method.', null, 405);
        },
        handler: sendNotFound,
      });
    }
  };
}

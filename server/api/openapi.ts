import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '#server/config/config.ts';
import { zodSchemas } from '#server/http/route-schemas.ts';
import type { Site } from '#server/site/site.ts';

const TAGS = [
  {
    name: 'content',
    description: 'The data of the pages. Nothing in it is personal; caches may store it.',
  },
  {
    name: 'forms',
    description: 'What readers send, as JSON or as a form post. The response to a form post is the page.',
  },
  { name: 'measurements', description: 'What pages report about themselves.' },
  { name: 'documentation', description: 'This document.' },
] as const;

/** The tag of an operation in the OpenAPI document. */
export type ApiTag = (typeof TAGS)[number]['name'];

export interface OpenApiOptions {
  config: Pick<Config, 'publicOrigin'>;
  site: Pick<Site, 'settings'>;
}

/** Makes `app.swagger()` return the OpenAPI 3.1 document of the routes that have a tag. Register it before them. */
export const openApi = fp(
  async (app: FastifyInstance, options: OpenApiOptions): Promise<void> => {
    const { publicOrigin } = options.config;
    const site = options.site.settings();
    await app.register(swagger, {
      hideUntagged: true,
      openapi: {
        openapi: '3.1.0',
        info: {
          title: `${site.name} API`,
          version: '1',
          description: 'The JSON API of the site’s own pages. Errors are problems (RFC 9457).',
          contact: { name: site.publisher, email: site.emails.media, url: `${publicOrigin}/contact-us` },
          license: { name: site.copyright, url: `${publicOrigin}/about` },
        },
        // Relative to where the document is served, so that it is right behind every proxy.
        servers: [{ url: '/', description: site.name }],
        security: [],
        tags: [...TAGS],
      },
      ...zodSchemas(),
    });
  },
  { name: 'openapi' },
);

import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { site } from '#shared/site.ts';
import { zodSchemas } from './openapi-schemas.ts';

const TAGS = [
  {
    name: 'content',
    description: 'What pages are drawn from. Nothing of it is personal; caches may keep it.',
  },
  {
    name: 'forms',
    description: 'What readers send. As JSON, or as a plain form post, which gets its page again.',
  },
  { name: 'measurements', description: 'What pages report of themselves.' },
  { name: 'documentation', description: 'What this document is.' },
] as const;

/** Names the group of an operation in the description. */
export type ApiTag = (typeof TAGS)[number]['name'];

/** Makes `app.swagger()` return the OpenAPI 3.1 document of all routes that have a tag. Register it before them. */
export async function registerOpenApi(app: FastifyInstance, publicOrigin: string): Promise<void> {
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
}

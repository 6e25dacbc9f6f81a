import type { FastifyServerOptions } from 'fastify';

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;
type BuildValidator = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildValidator']>;

/** Finds everything valid. Fastify's types know ajv's validators alone; it asks no more of one than this. */
const buildValidator = (() => () => () => true) as unknown as BuildValidator;

/**
 * Schemas of routes are documentation: bodies and queries are checked in the handlers. Where these two are not given to
 * Fastify itself, it loads ajv and a generator of serialisers that nobody asks: a twentieth of a start.
 */
export const SCHEMAS_DOCUMENT: SchemaController = {
  compilersFactory: { buildValidator, buildSerializer: () => () => JSON.stringify },
};

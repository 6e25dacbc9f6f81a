import type { FastifyServerOptions } from 'fastify';

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;
type BuildValidator = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildValidator']>;

/** Accepts everything. The cast is needed because Fastify's types only know ajv's validators. */
const buildValidator = (() => () => () => true) as unknown as BuildValidator;

/**
 * Fastify's `schemaController` without validation: schemas of routes only document them, and handlers validate bodies and
 * queries with zod. Without these compilers Fastify would load ajv and fast-json-stringify, a twentieth of the start time.
 */
export const SCHEMAS_DOCUMENT: SchemaController = {
  compilersFactory: { buildValidator, buildSerializer: () => () => JSON.stringify },
};

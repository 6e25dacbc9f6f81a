import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifySchema, FastifyServerOptions } from 'fastify';
import { ZodType, z } from 'zod';
import { BadRequest } from '#server/errors.ts';

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

/** Parses a part of a request by a schema. Throws a `BadRequest` that names each invalid field. */
export function parseRequest<Schema extends ZodType>(
  schema: Schema,
  value: unknown,
  detail = 'The request is not valid.',
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => {
    const at = issue.path.join('.') || 'request';
    if (issue.code !== 'unrecognized_keys') return [[at, issue.message]];
    return issue.keys.map((key) => [[...issue.path, key].join('.'), 'There is no such field.']);
  });
  throw new BadRequest(detail, Object.fromEntries(errors));
}

/** Returns options of @fastify/swagger that turn the routes' zod schemas into JSON Schemas. Those with an id become components. */
export function zodSchemas(): Pick<FastifyDynamicSwaggerOptions, 'transform' | 'transformObject'> {
  const named: Record<string, unknown> = {};
  return {
    // Most routes have no schema, whatever the type says.
    transform: ({ schema = {}, url }) => ({ url, schema: withJsonSchemas(schema, named) }),
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject;
      const { openapiObject } = document;
      Object.assign(openapiObject, { components: { ...openapiObject.components, schemas: named } });
      return openapiObject;
    },
  };
}

function withJsonSchemas(schema: FastifySchema, named: Record<string, unknown>): FastifySchema {
  const parts = Object.entries(schema).map(([part, value]) => {
    const io = part === 'response' ? 'output' : 'input';
    return [part, replaceZod(value, (found) => toJsonSchema(found, io, named))];
  });
  return Object.fromEntries(parts);
}

function replaceZod(value: unknown, replace: (schema: ZodType) => unknown): unknown {
  if (value instanceof ZodType) return replace(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, replaceZod(entry, replace)]));
}

function toJsonSchema(schema: ZodType, io: 'input' | 'output', named: Record<string, unknown>): unknown {
  const json = JSON.stringify(z.toJSONSchema(schema, { io }));
  const { $schema, $defs, ...own } = JSON.parse(json.replaceAll('#/$defs/', '#/components/schemas/'));
  for (const [id, definition] of Object.entries($defs ?? {})) named[id] = definition;
  return own;
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';

const Content = z.record(z.string(), z.looseObject({}));
const Response = z.looseObject({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: Content.default({}),
});
const Operation = z.looseObject({
  responses: z.record(z.string(), Response),
  requestBody: z.looseObject({ content: Content }).optional(),
});
const Description = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** A response: `body` parsed where it is JSON, else its text; `type` without parameters, empty without a body. */
export interface ApiResponse {
  status: number;
  type: string;
  headers: Headers;
  body: unknown;
}

const pointer = (...parts: string[]) =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns validators for the requests and responses of an OpenAPI 3.1 document. Operations are named `GET /api/home`. */
export function createApiDocument(json: unknown) {
  const { paths } = Description.parse(json);
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    formats: { 'date-time': (text) => !Number.isNaN(Date.parse(text)) },
  });
  ajv.addSchema(Object(json), 'openapi');

  function operationOf(operation: string) {
    const [method = '', path = ''] = operation.split(' ');
    const found = paths[path]?.[method.toLowerCase()];
    if (!found) throw new Error(`${operation} is not described`);
    return { ...found, at: ['paths', path, method.toLowerCase()] };
  }

  function errorsAt(place: readonly string[], value: unknown): unknown {
    return ajv.validate({ $ref: `openapi#${pointer(...place)}` }, value) ? null : ajv.errors;
  }

  return {
    operations: Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    ),

    statusesOf: (operation: string) => Object.keys(operationOf(operation).responses).map(Number),

    /** Returns how a response violates the description of its operation; null where it does not. */
    problemsOf(operation: string, { status, type, headers, body }: ApiResponse): unknown {
      const { responses, at } = operationOf(operation);
      const response = responses[status];
      if (!response) return `${operation} has no ${status}`;
      const missing = Object.keys(response.headers).filter((name) => !headers.has(name));
      if (missing.length > 0) return `${operation} ${status} has no ${missing.join(', ')}`;
      if (type === '' && Object.keys(response.content).length === 0) return null;
      if (!(type in response.content)) return `${operation} ${status} has no ${type || 'empty body'}`;
      return errorsAt([...at, 'responses', String(status), 'content', type, 'schema'], body);
    },

    /** Whether a request's body is valid by the description of its operation. */
    takesBody(operation: string, type: string, body: unknown): boolean {
      const { at } = operationOf(operation);
      return errorsAt([...at, 'requestBody', 'content', type, 'schema'], body) === null;
    },
  };
}

export type ApiDocument = ReturnType<typeof createApiDocument>;

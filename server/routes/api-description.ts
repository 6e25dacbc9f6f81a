import { z } from 'zod';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

const Responses = z.record(
  z.string(),
  z.looseObject({ content: z.record(z.string(), z.unknown()).optional() }),
);
const Operation = z.looseObject({ responses: Responses });
const Description = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** The OpenAPI document as it is generated from the routes, reduced to the API, its errors of the type they are sent as. */
export function apiDescription(generated: unknown): object {
  const { paths, ...rest } = Description.parse(generated);
  const api = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
  return {
    ...rest,
    paths: Object.fromEntries(
      api.map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations).map(([method, { responses, ...operation }]) => [
            method,
            { ...operation, responses: withProblems(responses) },
          ]),
        ),
      ]),
    ),
  };
}

function withProblems(responses: z.infer<typeof Responses>): object {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const schema = response.content?.[JSON_TYPE];
      const isProblem = /^[45]/.test(status) && schema !== undefined;
      return [status, isProblem ? { ...response, content: { [PROBLEM_TYPE]: schema } } : response];
    }),
  );
}

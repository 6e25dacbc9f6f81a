import { z } from 'zod';

/** Returns a schema of JSON text whose value fits `schema`. Text that is no JSON does not fit. */
export function jsonText<T extends z.ZodType>(schema: T) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('no JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
}

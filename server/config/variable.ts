import { z } from 'zod';

/** The description of one environment variable. */
export interface Variable {
  name: string;
  description: string;
  expected: string;
  /** The default of an unset variable; null where there is none. */
  fallback: string | null;
  isSecret: boolean;
}

/** What the text of a variable must be. Its description says so, where it was given something else. */
type Rule<T> = z.ZodType<T, string>;

/** The environment variable of each leaf of the configuration's schema. */
export const registry = z.registry<Variable>();

/** Returns the leaf of a variable with a default. */
export function variable<T>(name: string, fallback: string, description: string, rule: Rule<T>) {
  const { description: expected = '' } = rule;
  return rule
    .prefault(fallback)
    .register(registry, { name, description, expected, fallback, isSecret: false });
}

/** Returns the leaf of a variable that may be unset, which is null. */
export function optional<T>(name: string, description: string, rule: Rule<T>, isSecret = false) {
  const { description: expected = '' } = rule;
  return rule
    .nullable()
    .default(null)
    .register(registry, { name, description, expected, fallback: null, isSecret });
}

/** Runs a check where the fields that it reads are valid, whatever others are, so that one start names every bad variable. */
export function whereValid(...fields: string[]) {
  return ({ issues }: z.core.ParsePayload) => issues.every(({ path }) => !fields.includes(String(path?.[0])));
}

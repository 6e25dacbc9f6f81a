import type { z } from 'zod';
import { configSchema, mapVariables, variableAt } from './config-schema.ts';

/** The configuration, validated and frozen. */
export type Config = Readonly<z.infer<typeof configSchema> & { publicOrigin: string }>;

/** Its message has a line for each bad variable, so that all can be corrected at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the environment. An empty variable counts as unset.
 * Throws a `ConfigError` with a line for each bad variable: its name, what was given, what is expected.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const texts = mapVariables(({ name }) => env[name]?.trim() || undefined);
  const { data, error } = configSchema.safeParse(texts, {
    error: ({ path }) => variableAt(path ?? [])?.expected,
  });
  if (data)
    return Object.freeze({ ...data, publicOrigin: data.publicOrigin ?? `http://localhost:${data.port}` });

  const lines = new Map<string, string>();
  for (const { path, message } of error.issues) {
    const variable = variableAt(path);
    if (!variable || lines.has(variable.name)) continue;
    const { name, fallback, isSecret } = variable;
    const given = env[name]?.trim() || fallback;
    lines.set(name, `${name}: ${show(given, isSecret)} given, ${message} expected`);
  }
  throw new ConfigError([...lines.values()].join('\n'));
}

/** Returns the given value with secrets masked: text before an `@` may be the user and password of a URL. */
function show(given: string | null, isSecret: boolean): string {
  if (given === null) return 'nothing';
  return isSecret ? '(hidden)' : JSON.stringify(given.replace(/^.*@/s, '(hidden)@'));
}

import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type Memory, maxCacheMiB, memoryOfProcess } from '#server/process/memory-limit.ts';
import { configSchema, mapVariables, variableAt } from './config-schema.ts';
import { DEFAULT_DRAIN_MS } from './listener-variables.ts';
import type { Variable } from './variable.ts';

/** The configuration, validated and frozen. */
export type Config = Readonly<z.infer<typeof configSchema> & { publicOrigin: string; drainMs: number }>;

/** Its message has a line for each bad variable, so that all can be corrected at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const MIB = 1024 * 1024;

/** What the environment gives for a variable. */
type Given = { text: string | undefined } | { problem: string };

/**
 * Reads the environment. An empty variable counts as unset. A secret may be in a file instead, which the variable with
 * `_FILE` at its end names.
 * Throws a `ConfigError` with a line for each bad variable: its name, what was given, what is expected.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile = (path: string) => readFileSync(path, 'utf8'),
  memory: Memory = memoryOfProcess(),
): Config {
  const lines = new Map<string, string>();
  const texts = mapVariables((variable) => {
    const given = givenFor(variable, env, readFile);
    if ('text' in given) return given.text;
    lines.set(variable.name, given.problem);
  });
  const { data, error } = configSchema.safeParse(texts, {
    error: ({ path }) => variableAt(path ?? [])?.expected,
  });
  const cacheLimit = maxCacheMiB(memory);
  const isCacheTooLarge = data !== undefined && data.cacheMaxBytes > cacheLimit * MIB;
  if (isCacheTooLarge && env['CACHE_MAX_MB']?.trim())
    lines.set('CACHE_MAX_MB', cacheTooLarge(data.cacheMaxBytes / MIB, cacheLimit, memory));
  if (data && lines.size === 0)
    return Object.freeze({
      ...data,
      cacheMaxBytes: Math.min(data.cacheMaxBytes, cacheLimit * MIB),
      publicOrigin: data.publicOrigin ?? `http://localhost:${data.port}`,
      drainMs: data.drainMs ?? Math.min(DEFAULT_DRAIN_MS, data.shutdownGraceMs / 2),
    });

  for (const { path, message } of error?.issues ?? []) {
    const variable = variableAt(path);
    if (!variable || lines.has(variable.name)) continue;
    const { name, fallback, isSecret } = variable;
    const given = givenFor(variable, env, readFile);
    const text = ('text' in given && given.text) || fallback;
    lines.set(name, `${name}: ${show(text, isSecret)} given, ${message} expected`);
  }
  throw new ConfigError([...lines.values()].join('\n'));
}

function cacheTooLarge(given: number, limit: number, { heap, machine }: Memory): string {
  const bounds = `${Math.round(heap / MIB)} MiB of heap, ${Math.round(machine / MIB)} MiB of memory`;
  return `CACHE_MAX_MB: "${given}" given, at most ${limit}, what this process can hold (${bounds}), expected`;
}

function givenFor(
  { name, isSecret }: Variable,
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Given {
  const text = env[name]?.trim() || undefined;
  const path = isSecret ? env[`${name}_FILE`]?.trim() : undefined;
  if (!path) return { text };
  const given = `${name}_FILE: ${JSON.stringify(path)} given`;
  if (text !== undefined) return { problem: `${given}, either it or ${name} expected` };
  try {
    return { text: readFile(path).trim() || undefined };
  } catch {
    return { problem: `${given}, the path of a readable file expected` };
  }
}

/** Returns the given value with secrets masked: text before an `@` may be the user and password of a URL. */
function show(given: string | null, isSecret: boolean): string {
  if (given === null) return 'nothing';
  return isSecret ? '(hidden)' : JSON.stringify(given.replace(/^.*@/s, '(hidden)@'));
}

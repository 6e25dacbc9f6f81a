import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Memory, maxCacheMiB, memoryOfProcess } from '#server/process/memory-limit.ts';
import { DEFAULT_DRAIN_MS, listenerVariables, rateLimitVariables } from './listener-variables.ts';
import { logVariables, tracingVariables } from './observability-variables.ts';
import { operatorVariables } from './operator-variables.ts';
import { cdnVariables, proxyVariables } from './proxy-and-cdn-variables.ts';
import { siteVariables } from './site-variables.ts';
import { cacheVariables, storageVariables } from './storage-and-cache-variables.ts';
import { imageVariables, upstreamVariables } from './upstream-variables.ts';
import { registry, type Variable, whereValid } from './variable.ts';

/** Schema of the configuration. Each leaf is one environment variable, in the order of `.env.example`. */
const configSchema = z
  .object({
    ...listenerVariables,
    ...upstreamVariables,
    ...imageVariables,
    ...cacheVariables,
    ...siteVariables,
    ...storageVariables,
    ...proxyVariables,
    ...rateLimitVariables,
    ops: operatorVariables,
    cdn: cdnVariables,
    ...logVariables,
    tracing: tracingVariables,
  })
  .refine(({ port, ops }) => ops.port === 0 || ops.port !== port, {
    path: ['ops', 'port'],
    message: 'another port than PORT',
    when: () => true,
  })
  .refine(({ apiHost, wordpressUrl }) => apiHost === null || wordpressUrl === null, {
    path: ['wordpressUrl'],
    message: 'either it or API_HOST',
    when: whereValid('apiHost', 'wordpressUrl'),
  })
  .refine(({ imageHost, wordpressUrl }) => imageHost === null || wordpressUrl === null, {
    path: ['imageHost'],
    message: 'either it or WORDPRESS_URL',
    when: whereValid('imageHost', 'wordpressUrl'),
  })
  .refine(({ drainMs, shutdownGraceMs }) => !drainMs || drainMs < shutdownGraceMs, {
    path: ['drainMs'],
    message: 'less than SHUTDOWN_GRACE_MS',
    when: whereValid('drainMs', 'shutdownGraceMs'),
  });

/** Returns what `map` makes of each variable, in the shape of the configuration. */
export function mapVariables(
  map: (variable: Variable) => unknown,
  schema: z.core.$ZodType = configSchema,
): unknown {
  const variable = registry.get(schema);
  if (variable) return map(variable);
  const parts = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  return Object.fromEntries(parts.map(([key, part]) => [key, mapVariables(map, part)]));
}

/** Returns all variables, in the order of `.env.example`. */
export function allVariables(): Variable[] {
  const variables: Variable[] = [];
  mapVariables((variable) => variables.push(variable));
  return variables;
}

function variableAt(path: readonly PropertyKey[]): Variable | undefined {
  let schema: z.core.$ZodType | undefined = configSchema;
  for (const key of path) if (schema instanceof z.ZodObject) schema = schema.shape[String(key)];
  return schema && registry.get(schema);
}

/** The configuration, validated and frozen. */
export type Config = Readonly<z.infer<typeof configSchema> & { publicOrigin: string; drainMs: number }>;

/** Its message has a line for each bad variable, so that all can be corrected at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const MIB = 1024 * 1024;

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
  const given = new Map<Variable, string | undefined>();
  const texts = mapVariables((variable) => {
    const { text, problem } = textOf(variable, env, readFile);
    if (problem !== undefined) lines.set(variable.name, problem);
    given.set(variable, text);
    return text;
  });
  const { heap, machine } = memory;
  const cacheLimit = maxCacheMiB(memory);
  const held = `${Math.round(heap / MIB)} MiB of heap, ${Math.round(machine / MIB)} MiB of memory`;
  const { data, error } = configSchema
    .refine(({ cacheMaxBytes }) => !env['CACHE_MAX_MB']?.trim() || cacheMaxBytes <= cacheLimit * MIB, {
      path: ['cacheMaxBytes'],
      message: `at most ${cacheLimit}, what this process can hold (${held}),`,
      when: whereValid('cacheMaxBytes'),
    })
    .safeParse(texts, { error: ({ path }) => variableAt(path ?? [])?.expected });
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
    const text = given.get(variable) ?? fallback;
    lines.set(name, `${name}: ${show(text, isSecret)} given, ${message} expected`);
  }
  throw new ConfigError([...lines.values()].join('\n'));
}

/** Returns the text of a variable, from its file where one is named; none where it is unset. `problem`: why there is none. */
function textOf(
  { name, isSecret }: Variable,
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): { text?: string | undefined; problem?: string } {
  const text = env[name]?.trim() || undefined;
  const path = isSecret ? env[`${name}_FILE`]?.trim() : undefined;
  if (!path) return { text };
  const file = `${name}_FILE: ${JSON.stringify(path)} given`;
  if (text !== undefined) return { problem: `${file}, either it or ${name} expected` };
  try {
    const secret = readFile(path).trim();
    // Unset, it would protect nothing.
    if (secret === '') return { problem: `${file}, the path of a file that is not empty expected` };
    return { text: secret };
  } catch {
    return { problem: `${file}, the path of a readable file expected` };
  }
}

/** Returns the given value with secrets masked: text before an `@` may be the user and password of a URL. */
function show(given: string | null, isSecret: boolean): string {
  if (given === null) return 'nothing';
  return isSecret ? '(hidden)' : JSON.stringify(given.replace(/^.*@/s, '(hidden)@'));
}

import { z } from 'zod';
import { cdnVariables } from './cdn-variables.ts';
import { clientVariables } from './client-variables.ts';
import { listenerVariables, siteVariables } from './listener-variables.ts';
import { logVariables, tracingVariables } from './observability-variables.ts';
import { operatorVariables } from './operator-variables.ts';
import { cacheVariables, storageVariables } from './storage-variables.ts';
import { imageVariables, upstreamVariables } from './upstream-variables.ts';
import { registry, type Variable, whereValid } from './variable.ts';

/** Schema of the configuration. Each leaf is one environment variable, in the order of `.env.example`. */
export const configSchema = z
  .object({
    ...listenerVariables,
    ...upstreamVariables,
    ...imageVariables,
    ...cacheVariables,
    ...siteVariables,
    ...storageVariables,
    ...clientVariables,
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

/** Maps each variable, and returns the results in the shape of the configuration. */
export function mapVariables(
  map: (variable: Variable) => unknown,
  schema: z.core.$ZodType = configSchema,
): unknown {
  const variable = registry.get(schema);
  if (variable) return map(variable);
  const parts = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  return Object.fromEntries(parts.map(([key, part]) => [key, mapVariables(map, part)]));
}

/** Returns the variable of a path of the configuration. */
export function variableAt(path: readonly PropertyKey[]): Variable | undefined {
  let schema: z.core.$ZodType | undefined = configSchema;
  for (const key of path) if (schema instanceof z.ZodObject) schema = schema.shape[String(key)];
  return schema && registry.get(schema);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const OPERATING_DIR = join(import.meta.dirname, '../../docs/operating');

const Alert = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().regex(/^\d+m$/),
  labels: z.strictObject({
    severity: z.enum(['page', 'look']),
    slo: z.enum(['availability', 'latency', 'freshness']).optional(),
  }),
  annotations: z.strictObject({
    summary: z.string().min(1),
    description: z.string().min(1),
    runbook_url: z.string(),
  }),
});
export type Alert = z.infer<typeof Alert>;
const Recording = z.strictObject({ record: z.string(), expr: z.string() });

function readGroups<T>(file: string, rule: z.ZodType<T>): { name: string; rules: T[] }[] {
  const schema = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(rule) })) });
  return schema.parse(parse(readFileSync(join(OPERATING_DIR, file), 'utf8'))).groups;
}

function readRules<T>(file: string, rule: z.ZodType<T>): T[] {
  return readGroups(file, rule).flatMap(({ rules }) => rules);
}

/** Returns the alert rules. Throws where one lacks its severity, duration, summary, description or runbook. */
export const readAlerts = (): Alert[] => readRules('alerts.yaml', Alert);

/** Returns the names of the groups of rules, those that record first. */
export const readGroupNames = () =>
  ['recording-rules.yaml', 'alerts.yaml'].flatMap((file) =>
    readGroups(file, z.unknown()).map(({ name }) => name),
  );

export const readRecordings = () => readRules('recording-rules.yaml', Recording);

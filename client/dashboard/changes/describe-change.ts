import { age } from '#client/dashboard/elements/format.ts';
import type { Change } from '#shared/models/ops/ops-api-types.ts';

/** Returns what a change was, in one line: the fields that differ before and after, else what was asked and what came of it. */
export function describeChange({ asked, before, after }: Pick<Change, 'asked' | 'before' | 'after'>): string {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  if (!was || !is) {
    const told = [asked, after].filter((value) => value !== undefined);
    return told.map(linesOf).join(' → ');
  }
  const changes = Object.keys({ ...was, ...is })
    .map((name) => ({ name, from: fieldText(name, was[name]), to: fieldText(name, is[name]) }))
    .filter(({ from, to }) => from !== to);
  return changes.map(({ name, from, to }) => `${name} ${from} to ${to}`).join(', ') || 'no difference';
}

/** Fields in seconds. */
const AGES: ReadonlySet<string> = new Set(['ttl', 'swr', 'sie', 'endsInSeconds']);

function fieldText(name: string, value: unknown): string {
  return AGES.has(name) && typeof value === 'number' ? age(value) : textOf(value);
}

function linesOf(value: unknown): string {
  const fields = fieldsOf(value);
  if (!fields) return textOf(value);
  const lines = Object.entries(fields).map(([name, field]) => `${name}: ${textOf(field)}`);
  return lines.join(', ');
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (fieldsOf(value)) return `(${linesOf(value)})`;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '–');
}

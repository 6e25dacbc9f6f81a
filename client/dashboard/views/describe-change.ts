import type { AuditEntry } from '#shared/models/ops/ops-api-types.ts';

/** Returns what a change was, in one line: the fields that differ before and after, else what was asked and what came of it. */
export function describeChange({
  asked,
  before,
  after,
}: Pick<AuditEntry, 'asked' | 'before' | 'after'>): string {
  const was = fieldsOf(before);
  const is = fieldsOf(after);
  if (was && is) {
    const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
      (name) => textOf(was[name]) !== textOf(is[name]),
    );
    if (changed.length === 0) return 'no difference';
    return changed.map((name) => `${name}: ${textOf(was[name])} → ${textOf(is[name])}`).join(', ');
  }
  return [asked, after]
    .filter((value) => value !== undefined)
    .map(linesOf)
    .join(' → ');
}

function linesOf(value: unknown): string {
  const fields = fieldsOf(value);
  if (!fields) return textOf(value);
  return Object.entries(fields)
    .map(([name, field]) => `${name}: ${textOf(field)}`)
    .join(', ');
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

import { age, plural } from '#client/dashboard/elements/format.ts';
import type { Change } from '#shared/models/ops/ops-api-types.ts';

/** Returns what a change was, in one line: the fields that differ before and after, else what was asked and what came of it. */
export function describeChange({ asked, before, after }: Pick<Change, 'asked' | 'before' | 'after'>): string {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  if (!was || !is) {
    const told = [asked, after].map((value) => (value === undefined ? '' : textOf(value)));
    return told.filter((text) => text !== '').join(', ');
  }
  const changes = Object.keys({ ...was, ...is })
    .map((name) => ({ name, from: fieldText(name, was[name]), to: fieldText(name, is[name]) }))
    .filter(({ from, to }) => from !== to && to !== null);
  const lines = changes.map(
    ({ name, from, to }) => `${LABELS[name] ?? name} ${from ? `${from} to ` : ''}${to}`,
  );
  return lines.join(', ') || 'no difference';
}

/** Fields that are not shown under their own name. */
const LABELS: Readonly<Record<string, string>> = {
  ttl: 'TTL',
  swr: 'SWR',
  sie: 'SIE',
  ttlFactor: 'TTL factor',
  endsInSeconds: 'for',
};
/** Fields in seconds. */
const AGES: ReadonlySet<string> = new Set(['ttl', 'swr', 'sie', 'endsInSeconds']);

/** Null: the field is not there, or has no value. */
function fieldText(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return AGES.has(name) && typeof value === 'number' ? age(value) : textOf(value);
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  const fields = fieldsOf(value);
  if (!fields) return typeof value === 'string' ? value : JSON.stringify(value);
  const lines = Object.entries(fields).flatMap(([name, field]) => {
    if (field === false) return [];
    if (field === true) return name === 'all' ? 'everything' : name;
    return typeof field === 'number'
      ? plural(field, name.replace(/ies$/, 'y'), name)
      : `${name}: ${textOf(field)}`;
  });
  return lines.join(', ');
}

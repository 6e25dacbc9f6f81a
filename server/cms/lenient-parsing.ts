import { type ZodType, z } from 'zod';

/** Text of the upstream's entities (specification, section 3), where any field may be missing or of another type: strings and finite numbers pass, anything else, also a missing field, is null. */
export const cmsText = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
  });

function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  const isNumeric = typeof value === 'string' && /^\s{0,9}-?\d{1,15}(\.\d{1,9})?\s{0,9}$/.test(value);
  const number = isNumeric ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A number, a numeric string or a flag; anything else is null. */
export const cmsNumber = z.unknown().optional().transform(numberOf);

/** A required count: a whole number from 0. */
export const cmsCount = z
  .unknown()
  .transform(numberOf)
  .pipe(z.number().min(0).max(Number.MAX_SAFE_INTEGER))
  .transform((count) => Math.floor(count));

/** What could not be used of a response: how many items, and why, such as `no slug (2), no title (1)`. No content. */
export interface LeftOutReport {
  call: string;
  reason: string;
  items: number;
}

/** Called once for each list of which something was left out. */
export type ReportLeftOut = (left: LeftOutReport) => void;

/** Why an item cannot be shown. The reason is a fixed phrase, without content. */
export interface LeftOut {
  leftOut: string;
}

export function leftOut(reason: string): LeftOut {
  return { leftOut: reason };
}

export function isLeftOut(value: object): value is LeftOut {
  return 'leftOut' in value;
}

/** No page shows more of one list: the rest would only cost memory. */
const MAX_ITEMS = 1000;

interface ParseListOptions<C, M extends object> {
  call: string;
  schema: ZodType<C>;
  normalise: (item: C) => M | LeftOut;
  report: ReportLeftOut;
}

function summary(reasons: ReadonlyMap<string, number>): { reason: string; items: number } {
  const reason = [...reasons].map(([why, count]) => `${why} (${count})`).join(', ');
  return { reason, items: [...reasons.values()].reduce((sum, count) => sum + count, 0) };
}

/** Returns our models of a list's items. Leaves out and reports a bad item, and keeps the others. */
export function parseList<C, M extends object>(
  items: readonly unknown[],
  options: ParseListOptions<C, M>,
): M[] {
  const reasons = new Map<string, number>();
  const kept: M[] = [];
  for (const item of items.slice(0, MAX_ITEMS)) {
    const parsed = options.schema.safeParse(item);
    const model = parsed.success ? options.normalise(parsed.data) : leftOut('not an object of its kind');
    if (isLeftOut(model)) reasons.set(model.leftOut, (reasons.get(model.leftOut) ?? 0) + 1);
    else kept.push(model);
  }
  if (items.length > MAX_ITEMS) reasons.set(`beyond ${MAX_ITEMS} items`, items.length - MAX_ITEMS);
  if (reasons.size > 0) options.report({ call: options.call, ...summary(reasons) });
  return kept;
}

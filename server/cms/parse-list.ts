import type { ZodType } from 'zod';

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

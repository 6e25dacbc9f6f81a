import { type ZodType, z } from 'zod';

/** A text of the upstream: strings and finite numbers pass; anything else, also a missing field, is null. */
export const cmsText = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
  });

const AMPERSAND = /&(?:amp|#0*38|#x0*26);/gi;

/** Returns an address, or a text with some, as it is without HTML's spellings of `&`. */
export const withPlainAmpersands = (text: string) => text.replace(AMPERSAND, '&');

/** A text; null also for what programs write where there is none, as PHP does `0`. */
export const cmsGiven = cmsText.transform((text) =>
  /^(?:0|null|false|undefined|nan|\[object Object\])$/i.test(text?.trim() ?? '') ? null : text,
);

/** The path of a picture, or an address. */
export const cmsAddress = cmsGiven.transform((text) => text && withPlainAmpersands(text));

/** What PHP writes of a date that is an object. */
const PhpDate = z.object({ date: z.string(), timezone: z.string() });

/** A date: a text, or an object of PHP. A zone that is a name, and not UTC, is taken for that of the site. */
export const cmsDate = z
  .unknown()
  .optional()
  .transform((value) => {
    const { date, timezone = '' } = PhpDate.safeParse(value).data ?? {};
    if (date === undefined) return cmsText.parse(value);
    return date + (/^(?:UTC|Z|[+-]\d\d:\d\d)$/.test(timezone) ? timezone.replace('UTC', 'Z') : '');
  });

function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  const isNumeric = typeof value === 'string' && /^\s{0,9}-?\d{1,15}(\.\d{1,9})?\s{0,9}$/.test(value);
  const number = isNumeric ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A number, a numeric string or a flag; anything else is null. */
export const cmsNumber = z.unknown().optional().transform(numberOf);

/** A required count, from 0. Rounded up: where an upstream only divides, the last page is a part of one. */
export const cmsCount = z
  .unknown()
  .transform(numberOf)
  .pipe(z.number().min(0).max(Number.MAX_SAFE_INTEGER))
  .transform((count) => Math.ceil(count));

/** What could not be used of a response: how many items, and why, such as `no slug (2), no title (1)`. No content. */
export interface LeftOutReport {
  call: string;
  reason: string;
  items: number;
}

/** Called once for each list of which something was left out. */
export type ReportLeftOut = (left: LeftOutReport) => void;

/** Thrown for an item that cannot be shown. Its message is a fixed phrase, without content. */
export class LeftOut extends Error {}

/** Returns a part of an item without which it cannot be shown. Throws a `LeftOut` where it is null. */
export function required<T>(part: T | null, reason: string): T {
  if (part === null) throw new LeftOut(reason);
  return part;
}

/** No page shows more of one list: the rest would only cost memory. */
const MAX_ITEMS = 1000;

/**
 * Returns our models of a list's items. Leaves out and reports a bad item, and keeps the others. `normalise`: throws a
 * `LeftOut` for an item that cannot be shown. `report`: gets the reasons, if any, and how many items they have left out.
 */
export function parseList<C, M>(
  items: readonly unknown[],
  schema: ZodType<C>,
  normalise: (item: C) => M,
  report: (left: Omit<LeftOutReport, 'call'>) => void,
): M[] {
  const reasons = new Map<string, number>();
  const kept: M[] = [];
  for (const item of items.slice(0, MAX_ITEMS)) {
    try {
      const parsed = schema.safeParse(item);
      if (!parsed.success) throw new LeftOut('not an object of its kind');
      kept.push(normalise(parsed.data));
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      reasons.set(error.message, (reasons.get(error.message) ?? 0) + 1);
    }
  }
  if (items.length > MAX_ITEMS) reasons.set(`beyond ${MAX_ITEMS} items`, items.length - MAX_ITEMS);
  if (reasons.size > 0) {
    const reason = [...reasons].map(([why, count]) => `${why} (${count})`).join(', ');
    report({ reason, items: items.length - kept.length });
  }
  return kept;
}

import { z } from 'zod';

/** Fields of the upstream's entities (specification, section 3), of which any may be missing or of another type. */

/** Text: strings and finite numbers pass, anything else, also a missing field, is null. */
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

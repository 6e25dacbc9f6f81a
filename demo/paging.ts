/** One page of a list, with the totals as the upstream names them. */
export interface Page<T> {
  items: T[];
  pagination: { page: number; limit: number; totalItems: number; totalPages: number };
}

/** A page of a list; beyond the last it is empty. `page` counts from 1. */
export function pageOf<T>(items: readonly T[], page: number, limit: number): Page<T> {
  const start = (page - 1) * limit;
  return {
    items: items.slice(start, start + limit),
    pagination: { page, limit, totalItems: items.length, totalPages: Math.ceil(items.length / limit) },
  };
}

/** A query parameter as a positive integer up to `most`; anything else is `otherwise`. */
export function positiveInteger(value: unknown, otherwise: number, most = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : 0;
  return number > 0 ? Math.min(number, most) : otherwise;
}

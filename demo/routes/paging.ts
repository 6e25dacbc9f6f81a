/**
 * Returns a page of a list, with the totals under the upstream's names; an empty one beyond the last. `page` counts from 1.
 */
export function pageOf<T>(items: readonly T[], page: number, limit: number) {
  const start = (page - 1) * limit;
  return {
    items: items.slice(start, start + limit),
    pagination: { page, limit, totalItems: items.length, totalPages: Math.ceil(items.length / limit) },
  };
}

/** Reads a query parameter as a positive integer up to `most`; returns `otherwise` for anything else. */
export function positiveInteger(value: unknown, otherwise: number, most = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : 0;
  return number > 0 ? Math.min(number, most) : otherwise;
}

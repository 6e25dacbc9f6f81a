/** Most page numbers shown (specification, section 9). */
const MAX_PAGE_NUMBERS = 5;

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Returns the page numbers of a topic: the current one in the middle where possible (page 10 of 10: 6 7 8 9 10). */
export function centredWindow(page: number, totalPages: number): number[] {
  const first = Math.max(1, Math.min(page - 2, totalPages - MAX_PAGE_NUMBERS + 1));
  return range(first, Math.min(totalPages, first + MAX_PAGE_NUMBERS - 1));
}

/** Returns the page numbers of a search: from page minus 2, not shifted back at the end (page 10 of 10: 8 9 10). */
export function leadingWindow(page: number, totalPages: number): number[] {
  const first = Math.min(Math.max(1, page - 2), Math.max(1, totalPages));
  return range(first, Math.min(totalPages, first + MAX_PAGE_NUMBERS - 1));
}

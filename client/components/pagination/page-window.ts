/** Page-number buttons at most (specification, section 9). */
const BUTTONS = 5;

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/**
 * The numbers of a topic's pagination: the current page in the middle where possible, shifted back at the end
 * (decisions: of 10 pages on page 10: 6 7 8 9 10).
 */
export function centredWindow(page: number, totalPages: number): number[] {
  const first = Math.max(1, Math.min(page - 2, totalPages - BUTTONS + 1));
  return range(first, Math.min(totalPages, first + BUTTONS - 1));
}

/** The numbers of a search's pagination: from page minus 2, not shifted back (of 10 pages on page 10: 8 9 10). */
export function leadingWindow(page: number, totalPages: number): number[] {
  const first = Math.min(Math.max(1, page - 2), Math.max(1, totalPages));
  return range(first, Math.min(totalPages, first + BUTTONS - 1));
}

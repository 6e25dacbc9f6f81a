import { type KeyboardEvent, type RefObject, useEffect } from 'react';

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function cellsOf(table: HTMLTableElement): HTMLElement[][] {
  return [...table.rows].map((row) => [...row.querySelectorAll<HTMLElement>('[data-cell]')]);
}

/** Makes a table one tab stop: arrows, Home and End move from cell to cell (roving tabindex, ARIA APG grid). */
export function useRovingCells(table: RefObject<HTMLTableElement | null>) {
  // Rows come with the first metrics, so that the first cell is looked for after each render.
  useEffect(() => {
    const cells = table.current ? cellsOf(table.current).flat() : [];
    if (cells.length > 0 && !cells.some(({ tabIndex }) => tabIndex === 0)) {
      const [first] = cells;
      if (first) first.tabIndex = 0;
    }
  });

  return function onKeyDown(event: KeyboardEvent<HTMLTableElement>): void {
    const rows = cellsOf(event.currentTarget).filter((row) => row.length > 0);
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement)) return;
    const at = rows.findIndex((row) => row.includes(activeElement));
    const next = nextCell(rows, at, rows[at]?.indexOf(activeElement) ?? 0, event.key);
    if (!next) return;
    event.preventDefault();
    for (const cell of rows.flat()) cell.tabIndex = cell === next ? 0 : -1;
    next.focus();
  };
}

function nextCell(
  rows: readonly HTMLElement[][],
  row: number,
  column: number,
  key: string,
): HTMLElement | undefined {
  if (key === 'Home') return rows[row]?.[0];
  if (key === 'End') return rows[row]?.at(-1);
  const step = STEPS[key];
  return step && rows[row + step[0]]?.[column + step[1]];
}

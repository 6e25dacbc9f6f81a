import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { posts } from '../../../tests/component/page-data.ts';
import { inTurn } from '../../../tests/matrix.ts';
import '#client/styles/site.css';
import { CardGrid } from './card-grid.tsx';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Returns the rectangles of the grid and of its cards. */
async function renderGrid(count: number, narrow = false) {
  const { container } = await render(
    <CardGrid
      posts={posts(count).map((post, index) => ({ ...post, image: index % 2 === 0 ? PIXEL : null }))}
      narrow={narrow}
    />,
  );
  const grid = container.querySelector('.card-grid');
  if (!grid) throw new Error('no grid');
  return {
    grid: grid.getBoundingClientRect(),
    cards: Array.from(grid.children, (card) => card.getBoundingClientRect()),
  };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 11])('%s posts fill every row, whatever the width', async (count) => {
  for (const [turn, width] of [700, 800, 1280].entries())
    for (const narrow of inTurn([false, true], count + turn)) {
      await page.viewport(width, 900);
      const { grid, cards } = await renderGrid(count, narrow);
      const rows = Map.groupBy(cards, ({ top }) => Math.round(top));
      for (const row of rows.values()) {
        expect(Math.min(...row.map(({ left }) => left))).toBeCloseTo(grid.left, 0);
        expect(Math.max(...row.map(({ right }) => right))).toBeCloseTo(grid.right, 0);
      }
    }
});

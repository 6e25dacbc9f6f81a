import { PAGE_PATHS } from '../e2e/page-paths.ts';
import { inTurn } from '../matrix.ts';
import { type EngineOptions, test } from './fixtures.ts';
import { NARROW, WIDE } from './site-page.ts';

/** An article with every block. */
const BLOCKS_PATH = '/learning-center/pick-a-content-system-by-its-editors';
const PATHS = [...PAGE_PATHS.values(), '/topic/news?page=2', BLOCKS_PATH];

/** Those that take turns: the end-to-end tests run in Chromium. */
const ENGINES: readonly EngineOptions['engine'][] = ['webkit', 'firefox'];

test('every page is hydrated without a word on the console, and is no wider than its window', async ({
  engine,
  sitePage,
  expectedMessages,
}) => {
  // With `MATRIX=all` as long as twenty tests.
  test.slow();
  expectedMessages.push(/404/);
  for (const [index, path] of PATHS.entries()) {
    if (engine !== 'chromium' && !inTurn(ENGINES, index).includes(engine)) continue;
    await sitePage.open(path, WIDE);
    for (const size of [WIDE, NARROW]) {
      await sitePage.resize(size);
      await sitePage.until(
        `nothing of ${path} scrolls sideways`,
        () => document.documentElement.scrollWidth <= innerWidth,
      );
    }
  }
});

test('the home page fetches the size of its lead that a phone shows, and no other', async ({ sitePage }) => {
  await sitePage.open('/', NARROW);
  await sitePage.until('no other size is fetched', () => {
    const shown = document.querySelector<HTMLImageElement>('.post-card-lead img')?.currentSrc ?? '';
    const [address] = shown.split('?');
    // How often a fetch is listed differs by browser, and by what it has in memory.
    const fetched = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.startsWith(`${address}?`));
    return shown !== '' && fetched.every(({ name }) => name === shown);
  });
});

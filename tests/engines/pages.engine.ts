import { test } from './fixtures.ts';
import { NARROW, WIDE } from './site-page.ts';

const PATHS = [
  '/',
  '/topic/news',
  '/topic/news?page=2',
  '/tag/customer-data',
  '/search/all/consent',
  '/events',
  '/about',
  '/privacy-policy',
  '/opt-out-form',
  '/contact-us',
  '/subscribe',
  '/sitemap',
  '/no-posts',
];

for (const path of PATHS) {
  test(`${path} is hydrated without a word on the console, and is no wider than its window`, async ({
    sitePage,
  }) => {
    await sitePage.open(path, WIDE);
    for (const size of [WIDE, NARROW]) {
      await sitePage.resize(size);
      await sitePage.until(
        'nothing scrolls sideways',
        () => document.documentElement.scrollWidth <= innerWidth,
      );
    }
  });
}

test('the preloaded picture of the home page is the one that a phone shows, fetched once', async ({
  sitePage,
}) => {
  await sitePage.open('/', NARROW);
  await sitePage.until('it is fetched once', () => {
    const shown = document.querySelector<HTMLImageElement>('.post-card-lead img')?.currentSrc ?? '';
    const [name] = shown.split('?');
    const fetched = performance
      .getEntriesByType('resource')
      .filter((entry) => entry.name.startsWith(`${name}?`));
    return fetched.length === 1 && fetched[0]?.name === shown;
  });
});

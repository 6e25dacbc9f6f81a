import { oneInThree } from '../matrix.ts';
import { expect, test } from './fixtures.ts';

/** Every unknown path gets the same document, which must hydrate whatever route the router matches. */
const PATHS = [
  '/news/no-such-story',
  '/no/such/page',
  '/nothing',
  '/events/no-such-event',
  '/a/b.map',
  '/404',
];

test('the not-found page comes alive at any path, as it was sent', async ({ page, expectedNoise }) => {
  expectedNoise.push(/404/);
  const calls: string[] = [];
  page.on('request', (sent) => {
    if (new URL(sent.url()).pathname.startsWith('/api/')) calls.push(sent.url());
  });
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => document.querySelector('h1')?.setAttribute('data-sent', '')),
  );
  const heading = page.getByRole('heading', { level: 1 });
  const latest = page.getByRole('button', { name: 'Latest' });
  for (const path of oneInThree(PATHS)) {
    calls.length = 0;
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    // The same element as was sent: hydrated, not rendered again.
    await expect(heading, path).toHaveAttribute('data-sent', '');
    await expect(heading, path).toHaveText('Error 404 - Not Found');
    expect(calls, path).toEqual([]);
    await latest.click();
    await expect(latest, path).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Escape');
    // Not by the mouse, which would rest on a link of the home page, whose article is fetched ahead.
    await page.getByRole('link', { name: 'Go Back Home' }).press('Enter');
    await expect(page, path).toHaveURL(/\/$/);
    await page.goBack();
    await expect(heading, path).toHaveText('Error 404 - Not Found');
  }
});

import { expect, test } from './fixtures.ts';

/** Every unknown path gets the same document, which must hydrate whatever route the router matches. */
for (const path of [
  '/nothing',
  '/no/such/page',
  '/news/no-such-story',
  '/events/no-such-event',
  '/a/b.map',
  '/404',
]) {
  test(`the not-found page comes alive at ${path}, as it was sent`, async ({ page, expectedNoise }) => {
    expectedNoise.push(/404/);
    const calls: string[] = [];
    page.on('request', (sent) => {
      if (new URL(sent.url()).pathname.startsWith('/api/')) calls.push(sent.url());
    });
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => document.querySelector('h1')?.setAttribute('data-sent', '')),
    );
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    const heading = page.getByRole('heading', { level: 1 });
    // The same element as was sent: hydrated, not rendered again.
    await expect(heading).toHaveAttribute('data-sent', '');
    await expect(heading).toHaveText('Error 404 - Not Found');
    expect(calls).toEqual([]);
    const latest = page.getByRole('button', { name: 'Latest' });
    await latest.click();
    await expect(latest).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Go Back Home' }).click();
    await expect(page).toHaveURL(/\/$/);
    await page.goBack();
    await expect(heading).toHaveText('Error 404 - Not Found');
  });
}

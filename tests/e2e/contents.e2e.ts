import { fakeClock, flushTasks } from './fake-clock.ts';
import { findPost, isLong } from './find-post.ts';
import { expect, test } from './fixtures.ts';
import { scrollTo } from './scroll-to.ts';

test.describe('the contents of an article', () => {
  test('shows the contents list once its head is out of view; an entry closes it and brings the heading to 125px', async ({
    page,
    site,
  }) => {
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    const button = page.getByRole('button', { name: 'Table of Contents' });
    await expect(button).toBeHidden();
    await page.mouse.wheel(0, 1_500);
    await expect(button).toBeVisible();
    await expect(page.locator('.contents')).toHaveClass(/is-fixed/);
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    const entries = page.locator('.contents-entries a');
    await expect(page.locator('.contents-entries [data-level="2"] .contents-number').first()).toHaveText(
      /^1\.\s*$/,
    );
    const entry = entries.nth((await entries.count()) - 2);
    const id = (await entry.getAttribute('href'))?.slice(1) ?? '';
    await entry.click();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    const heading = page.locator(`[id="${id}"]`);
    await expect(heading).toBeFocused();
    await expect.poll(async () => Math.round((await heading.boundingBox())?.y ?? 0)).toBe(125);
  });

  test('has its contents fixed after 400 pixels, and scrolls smoothly to a heading, offset by 125px after 700 ms', async ({
    page,
    site,
  }) => {
    await page.addInitScript(() => {
      const moves: string[] = [];
      Object.assign(window, { moves });
      Element.prototype.scrollIntoView = (options) =>
        moves.push(`to the heading, ${typeof options === 'object' ? options.behavior : ''}`);
      window.scrollTo = (options?: ScrollToOptions | number) =>
        moves.push(`offset, ${typeof options === 'object' ? options.behavior : ''}`);
    });
    const moves = () => page.evaluate(() => Reflect.get(window, 'moves') as string[]);
    await fakeClock(page);
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    const contents = page.locator('.contents');
    await scrollTo(page, 400);
    await flushTasks(page);
    await expect(contents).not.toHaveClass(/is-fixed/);
    await scrollTo(page, 401);
    await expect(contents).toHaveClass(/is-fixed/);
    await scrollTo(page, 1_500);
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    const before = (await moves()).length;
    await page.locator('.contents-entries a').nth(1).click();
    await page.clock.runFor(699);
    expect((await moves()).slice(before)).toEqual(['to the heading, smooth']);
    await page.clock.runFor(1);
    expect((await moves()).slice(before)).toEqual(['to the heading, smooth', 'offset, smooth']);
  });

  test('indents the H4 entries of its contents', async ({ page, site }) => {
    const hasH4 = (post: Record<string, unknown>) => String(post['post_content']).includes('<h4');
    await page.goto(await findPost(site.demoCms, 'featured', hasH4));
    await scrollTo(page, 2_000);
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    const startOf = async (level: number) =>
      (await page.locator(`.contents-entries [data-level="${level}"] a`).first().boundingBox())?.x ?? 0;
    expect(await startOf(4)).toBeGreaterThan((await startOf(2)) + 10);
    await expect(page.locator('.contents-entries [data-level="4"] .contents-number')).toHaveCount(0);
  });

  test('keeps its contents within 300px, scrolling inside', async ({ page, site }) => {
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    await page.mouse.wheel(0, 1_500);
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    const entries = page.locator('.contents-entries');
    await expect(entries).toHaveCSS('max-height', '300px');
    await expect(entries).toHaveCSS('overflow-y', 'auto');
    expect((await entries.boundingBox())?.height).toBeLessThanOrEqual(300);
  });
});

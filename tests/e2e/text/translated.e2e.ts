import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

/** Replaces each text node by an element with its translation, as the translation of Chrome and Edge does. */
function translateDocument(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.data.trim() === '' || text.parentElement?.closest('script, style, font')) continue;
    const translated = document.createElement('font');
    translated.append(text.data);
    text.replaceWith(translated);
  }
}

const translate = (page: Page) => page.evaluate(translateDocument);

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test.describe('a page that the browser has translated', () => {
  test('thanks for a subscription, and says then again what the button agrees to', async ({
    page,
    expectedNoise,
  }) => {
    expectedNoise.push(/409/);
    await page.clock.install();
    await page.goto('/about');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' }).click();
    const dialog = page.getByRole('dialog');
    const message = dialog.getByRole('status');
    for (const [outcome, isTimed] of [
      ['Thank you for subscribing ✅', true],
      ['This email is already subscribed ❌', false],
    ] as const) {
      await dialog.getByRole('textbox').fill('translated@example.com');
      await translate(page);
      await dialog.getByRole('button', { name: 'Submit' }).click();
      await expect(message).toHaveText(outcome);
      await translate(page);
      if (isTimed) await page.clock.fastForward(5_000);
      else await dialog.getByRole('textbox').fill('another@example.com');
      await expect(message).toHaveText(/^By clicking on the Submit button/);
    }
  });

  test('thanks for a message, which disappears', async ({ page }) => {
    await page.clock.install();
    await page.goto('/contact-us');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Quill');
    await page.getByRole('textbox', { name: 'Email' }).fill('translated@example.com');
    await page.getByRole('textbox', { name: 'Phone' }).fill('+1 202-555-0142');
    await page.getByRole('checkbox').check();
    await translate(page);
    await page.getByRole('button', { name: 'Submit' }).click();
    const thanks = page.getByText('Thank you for your message. It has been sent.');
    await expect(thanks).toBeVisible();
    await translate(page);
    await page.clock.fastForward(8_000);
    await expect(thanks).toHaveCount(0);
    await expect(heading(page)).toHaveText('Contact Us');
  });

  test('shows the results of one search after another', async ({ page }) => {
    await page.goto('/search/all/consent');
    const search = async (term: string) => {
      await translate(page);
      await page.getByRole('searchbox').fill(term);
      await page.getByRole('searchbox').press('Enter');
    };
    const follow = async (name: string) => {
      await translate(page);
      await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    };
    const count = page.locator('.result-count');
    await follow('News');
    await expect(count).toContainText('in News');
    await follow('Search every section');
    await expect(page).toHaveURL('/search/all/consent');
    await expect(count).not.toContainText('in News');
    // Posts of the search before, with other words highlighted.
    await search('a consent');
    await expect(heading(page)).toHaveText('Search Result : a consent');
    await search('zzzz');
    await expect(heading(page)).toHaveText('No Result For Your Search');
    await expect(count).toContainText('zzzz');
    await search('data');
    await expect(heading(page)).toHaveText('Search Result : data');
    await expect(count).toHaveText(/^\d+ pieces?$/);
    await expect(page.locator('mark').first()).toHaveText(/data/i);
  });

  test('shows other pages, and other lists within them', async ({ page }) => {
    await page.goto('/');
    await translate(page);
    await page.getByRole('tab', { name: 'Popular' }).click();
    await page
      .getByRole('button', { name: /^Pause/ })
      .first()
      .click();
    await page.locator('.headline-list.is-numbered a').first().click();
    await expect(page.locator('.article')).toBeVisible();
    await translate(page);
    await page.goBack();
    await expect(heading(page)).toHaveText('Latest');
    await translate(page);
    await page.getByRole('banner').getByRole('link', { name: 'Events' }).click();
    await expect(heading(page)).toHaveText('Events');
    await translate(page);
    await page.getByRole('button', { name: 'Show More' }).click();
    await expect(page.locator('.event-card:visible')).not.toHaveCount(9);
    await translate(page);
    await page.getByRole('link', { name: 'Past Events' }).click();
    await expect(page).toHaveURL('/events?tab=past');
  });

  test('before its scripts were there is hydrated, with a header that condenses', async ({
    page,
    expectedNoise,
  }) => {
    // React renders a page anew whose text is not the one that it expects.
    expectedNoise.push(/React error #418/);
    await page.addInitScript(`addEventListener('DOMContentLoaded', ${translateDocument})`);
    await page.goto('/about');
    await page.mouse.wheel(0, 800);
    await expect(page.locator('html[data-condensed]')).toHaveCount(1);
  });
});

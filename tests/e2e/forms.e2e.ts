import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

let count = 0;
/** Returns an e-mail address that no other test has used. */
const address = () => `reader-${process.pid}-${Date.now()}-${++count}@example.com`;

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function fill(page: Page, email = address()): Promise<void> {
  await field(page, 'First name').fill('Ada');
  await field(page, 'Last name').fill('Quill');
  await field(page, 'Email').fill(email);
  await field(page, 'Phone').fill('+1 202-555-0142');
  await field(page, 'Message').fill('A line.\nAnother.');
  await page.getByRole('checkbox').check();
}

const submit = (page: Page) => page.getByRole('button', { name: 'Submit' });

for (const path of ['/contact-us', '/opt-out-form']) {
  test(`the form of ${path} shows the label of the first wrong field below the sticky header`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 500 });
    await page.goto(path);
    await fill(page);
    await field(page, 'Email').fill('nobody');
    await submit(page).click();
    await expect(field(page, 'Email')).toBeFocused();
    const bar = await page.locator('.header').boundingBox();
    const top = async () => (await page.getByText('Email', { exact: true }).boundingBox())?.y ?? 0;
    await expect.poll(top).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  });
}

test('the browser stores what the privacy policy says, and nothing else', async ({ page }) => {
  const stored = () =>
    page.evaluate(() => [...Object.keys(sessionStorage), ...Object.keys(localStorage), document.cookie]);
  await page.goto('/search/all/consent');
  await page.getByRole('main').getByRole('searchbox').fill('budget');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search/all/budget');
  await page.goto('/contact-us');
  await fill(page);
  expect(await stored()).toEqual(['react-router-scroll-positions', expect.stringMatching(/^draft-/), '']);
});

test('forms keep what was typed where the network fails, which the console alone is told', async ({
  page,
  context,
  expectedNoise,
}) => {
  expectedNoise.push(/ERR_INTERNET_DISCONNECTED/, /^Failed to submit/);
  const logged = (text: string) => page.waitForEvent('console', (message) => message.text() === text);
  await page.goto('/contact-us');
  await fill(page, 'ada@example.com');
  await context.setOffline(true);
  await Promise.all([logged('Failed to submit data to the API.'), submit(page).click()]);
  await expect(field(page, 'Email')).toHaveValue('ada@example.com');
  await expect(submit(page)).toBeEnabled();
  await context.setOffline(false);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('ada@example.com');
  await context.setOffline(true);
  await Promise.all([
    logged('Failed to submit data to the API.'),
    dialog.getByRole('button', { name: 'Submit' }).click(),
  ]);
  await expect(dialog.getByRole('textbox')).toHaveValue('ada@example.com');
});

test.describe('forms without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 500 } });

  test('come back with what was typed and what was wrong, and then with thanks', async ({
    page,
    site,
    expectedNoise,
  }) => {
    expectedNoise.push(/400/);
    await page.goto('/contact-us');
    await fill(page);
    await field(page, 'Phone').fill('12');
    await submit(page).click();
    await expect(field(page, 'Phone')).toHaveAccessibleDescription('Please provide a valid phone number.');
    await expect(field(page, 'Phone')).toBeFocused();
    await expect(field(page, 'Phone')).toBeInViewport();
    await expect(field(page, 'Message')).toHaveValue('A line.\nAnother.');
    await field(page, 'Phone').fill('+1 202-555-0142');
    await submit(page).click();
    await expect(page).toHaveURL(`${site.origin}/contact-us?sent=1#sent`);
    await expect(page.getByText('Thank you for your message. It has been sent.')).toBeInViewport();
  });

  test('subscribe on a page of their own', async ({ page, expectedNoise }) => {
    expectedNoise.push(/409/);
    const email = address();
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' }).click();
    await field(page, 'Email').fill(email);
    await submit(page).click();
    await expect(page.getByText('Thank you for subscribing ✅')).toBeInViewport();
    await field(page, 'Email').fill(email);
    await submit(page).click();
    await expect(page.getByText('This email is already subscribed ❌')).toBeInViewport();
    await expect(field(page, 'Email')).toHaveValue(email);
  });
});

test('the response to a form post hydrates as the page of its form, and the focus stays where it is', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/400/, /ERR_FAILED/);
  // The scripts are late: the form is sent as without scripts.
  await page.route(/\.js$/, (route) => route.abort());
  await page.evaluate((address) => window.location.assign(address), `${site.origin}/contact-us`);
  await page.waitForURL('**/contact-us');
  await fill(page);
  await field(page, 'Phone').fill('12');
  await page.unroute(/\.js$/);
  const scripts = Promise.withResolvers<void>();
  await page.route(/\.js$/, async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await submit(page).click();
  await expect(field(page, 'Phone')).toBeFocused();
  await field(page, 'Email').focus();
  scripts.resolve();
  await page.waitForSelector('html[data-hydrated]');
  await expect(field(page, 'Email')).toBeFocused();
  await expect(page).toHaveURL(`${site.origin}/contact-us`);
  // A jump within the page ends the router's action data.
  await page.getByRole('link', { name: 'Skip to the main text' }).press('Enter');
  await expect(page).toHaveURL(/#main$/);
  await expect(field(page, 'First name')).toHaveValue('Ada');
  await expect(field(page, 'Phone')).toHaveValue('12');
  await field(page, 'Phone').fill('+1 202-555-0142');
  await expect(field(page, 'Phone')).toHaveAttribute('aria-invalid', 'false');
  await submit(page).click();
  await expect(page.getByText('Thank you for your message. It has been sent.')).toBeVisible();
  await expect(field(page, 'First name')).toHaveValue('');
});

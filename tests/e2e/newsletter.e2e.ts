import type { Page } from '@playwright/test';
import { fakeClock, flushTasks } from './fake-clock.ts';
import { expect, test } from './fixtures.ts';

let count = 0;
/** Returns an e-mail address that no other test has used. */
const address = () => `subscriber-${process.pid}-${Date.now()}-${++count}@example.com`;

const submit = (page: Page) => page.getByRole('button', { name: 'Submit' });

test.describe('the newsletter popup', () => {
  const dialog = (page: Page) => page.getByRole('dialog');
  const open = async (page: Page) => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' }).click();
    await expect(dialog(page)).toBeVisible();
  };

  test('opens from the footer with the focus in its one field, and closes by button, Escape and a press beside it', async ({
    page,
  }) => {
    await page.goto('/about');
    await open(page);
    await expect(page).toHaveURL(/\/about$/);
    await expect(dialog(page).getByRole('textbox')).toHaveCount(1);
    await expect(dialog(page).getByRole('textbox')).toBeFocused();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' })).toBeFocused();
    await open(page);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await open(page);
    await page.mouse.click(5, 5);
    await expect(dialog(page)).toBeHidden();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('banner').getByRole('link', { name: 'Subscribe' }).click();
    await expect(dialog(page)).toBeVisible();
  });

  test('checks the address on change, on blur and on submit, and sends nothing that is wrong', async ({
    page,
  }) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await page.goto('/about');
    await open(page);
    const email = dialog(page).getByRole('textbox');
    const message = 'Please enter a valid email address.';
    await submit(page).click();
    await expect(email).toHaveAccessibleDescription(message);
    await email.fill('ada@example.com');
    await expect(email).toHaveAttribute('aria-invalid', 'false');
    await email.fill('ada@example');
    await expect(email).toHaveAttribute('aria-invalid', 'true');
    await page.keyboard.press('Escape');
    await open(page);
    await expect(dialog(page).getByText(message)).toBeHidden();
    await email.press('Tab');
    await expect(email).toHaveAccessibleDescription(message);
    expect(sent).toEqual([]);
  });

  test('says thanks for five seconds, then its consent text again; knows an address that is subscribed', async ({
    page,
    expectedNoise,
  }) => {
    expectedNoise.push(/409/);
    const email = address();
    await fakeClock(page);
    await page.goto('/about');
    await open(page);
    const status = dialog(page).getByRole('status');
    await expect(status).toHaveText(
      'By clicking on the Submit button, you are agreeing with the Privacy Policy',
    );
    await dialog(page).getByRole('textbox').fill(email);
    await submit(page).click();
    await expect(status).toHaveText('Thank you for subscribing ✅');
    await expect(dialog(page).getByRole('textbox')).toHaveValue('');
    await flushTasks(page);
    await page.clock.runFor(4_999);
    await flushTasks(page);
    await expect(status).toHaveText('Thank you for subscribing ✅');
    await page.clock.runFor(1);
    await expect(status).toHaveText(/^By clicking on the Submit button/);
    await dialog(page).getByRole('textbox').fill(email);
    await submit(page).click();
    await expect(status).toHaveText('This email is already subscribed ❌');
  });

  test('says nothing of another failure but to the console', async ({ page, expectedNoise }) => {
    expectedNoise.push(/^Failed to send the subscription\.$/, /502/);
    await page.goto('/about');
    await open(page);
    await page.route('**/api/subscriptions', (route) => route.fulfill({ status: 502, body: '{}' }));
    await dialog(page).getByRole('textbox').fill(address());
    const failure = page.waitForEvent('console', (message) => message.text().startsWith('Failed to send'));
    await submit(page).click();
    await failure;
    await expect(dialog(page).getByRole('status')).toHaveText(/^By clicking on the Submit button/);
  });

  test('blocks cut, copy and paste in its field', async ({ page, context, site }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
    await page.goto('/about');
    await page.evaluate(() => navigator.clipboard.writeText('kept'));
    await open(page);
    const email = dialog(page).getByRole('textbox');
    await email.press('ControlOrMeta+v');
    await expect(email).toHaveValue('');
    await email.fill('ada@example.com');
    for (const key of ['c', 'x']) {
      await email.press('ControlOrMeta+a');
      await email.press(`ControlOrMeta+${key}`);
    }
    await expect(email).toHaveValue('ada@example.com');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('kept');
  });

  test('moves nothing under the pointer by its message, at any width and size of letters', async ({
    page,
  }) => {
    await page.goto('/about');
    await open(page);
    const link = dialog(page).getByRole('link', { name: 'Privacy Policy' });
    for (const width of [320, 344, 360, 390, 1280])
      for (const fontSize of ['100%', '150%', '200%']) {
        await page.setViewportSize({ width, height: 1_400 });
        await page.evaluate((size) => {
          document.documentElement.style.fontSize = size;
        }, fontSize);
        const email = dialog(page).getByLabel('Email');
        await email.fill('ada@example.com');
        await expect(dialog(page).locator('.field-error')).toBeHidden();
        const before = await link.boundingBox();
        await email.fill('');
        await expect(dialog(page).locator('.field-error')).toBeVisible();
        expect.soft(await link.boundingBox(), `${width} pixels, letters of ${fontSize}`).toEqual(before);
      }
  });

  test('fits a phone, and closes when its link leads to another page', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/about');
    await open(page);
    expect((await dialog(page).boundingBox())?.width).toBeLessThanOrEqual(360);
    await dialog(page).getByRole('link', { name: 'Privacy Policy' }).click();
    await expect(page.locator('h1')).toHaveText('Privacy Policy');
    await expect(dialog(page)).toBeHidden();
  });
});

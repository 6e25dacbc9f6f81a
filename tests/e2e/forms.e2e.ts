import type { Page } from '@playwright/test';
import { fakeClock, flushTasks } from './fake-clock.ts';
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

for (const { path, api } of [
  { path: '/contact-us', api: '**/api/contact-messages' },
  { path: '/opt-out-form', api: '**/api/opt-outs' },
]) {
  test.describe(`the form of ${path}`, () => {
    test('shows each message at its field, moves focus to the first, sends nothing, and takes a message back when the field is right', async ({
      page,
    }) => {
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url());
      });
      await page.goto(path);
      await submit(page).click();
      const first = field(page, 'First name');
      await expect(first).toBeFocused();
      for (const [label, message] of [
        ['First name', 'Please provide a valid first name.'],
        ['Last name', 'Please provide a valid last name.'],
        ['Email', 'Please provide a valid email.'],
        ['Phone', 'Please provide a valid phone number.'],
      ] as const) {
        await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true');
        await expect(field(page, label)).toHaveAccessibleDescription(message);
      }
      await expect(page.getByRole('checkbox')).toHaveAccessibleDescription('Acknowledgment is required !');
      await expect(field(page, 'Message')).toHaveAttribute('aria-invalid', 'false');
      await first.fill('Ada');
      await expect(first).toHaveAttribute('aria-invalid', 'false');
      await expect(first).toBeFocused();
      expect(sent).toEqual([]);
    });

    test('shows the label of the first wrong field below the sticky header', async ({ page }) => {
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

    test('reads Submitting... while it waits, then is empty and says so for eight seconds', async ({
      page,
    }) => {
      await fakeClock(page);
      await page.goto(path);
      await fill(page);
      let response = () => {};
      const held = new Promise<void>((resolve) => {
        response = resolve;
      });
      await page.route(api, async (route) => {
        await held;
        await route.continue();
      });
      await submit(page).click();
      const busy = page.getByRole('button', { name: 'Submitting...' });
      await expect(busy).toBeDisabled();
      response();
      const thanks = page.getByText('Thank you for your message. It has been sent.');
      await expect(thanks).toBeVisible();
      for (const label of ['First name', 'Last name', 'Email', 'Phone', 'Message'])
        await expect(field(page, label)).toHaveValue('');
      await expect(page.getByRole('checkbox')).not.toBeChecked();
      await flushTasks(page);
      await page.clock.runFor(7_999);
      await flushTasks(page);
      await expect(thanks).toBeVisible();
      await page.clock.runFor(1);
      await expect(thanks).toBeHidden();
    });

    test('keeps what was typed and tells the console alone when the delivery fails', async ({
      page,
      expectedNoise,
    }) => {
      expectedNoise.push(/^Failed to submit data to the API\.$/, /502/);
      await page.goto(path);
      await fill(page, 'ada@example.com');
      await page.route(api, (route) => route.fulfill({ status: 502, body: '{}' }));
      const failure = page.waitForEvent('console', (message) =>
        message.text().startsWith('Failed to submit'),
      );
      await submit(page).click();
      await failure;
      await expect(field(page, 'Email')).toHaveValue('ada@example.com');
      await expect(page.locator('.field-error')).toHaveCount(0);
      await expect(page.locator('main [role="status"]')).toBeEmpty();
      await expect(submit(page)).toBeEnabled();
    });

    test('shows what the server alone objects to', async ({ page, expectedNoise }) => {
      expectedNoise.push(/400/);
      await page.goto(path);
      await fill(page);
      const errors = { phone: 'Please provide a valid phone number.' };
      await page.route(api, (route) => route.fulfill({ status: 400, json: { errors } }));
      await submit(page).click();
      await expect(field(page, 'Phone')).toHaveAccessibleDescription(errors.phone);
      await expect(field(page, 'Phone')).toBeFocused();
    });
  });
}

test.describe('forms without scripts', () => {
  test.use({ javaScriptEnabled: false });

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
    await expect(field(page, 'Message')).toHaveValue('A line.\nAnother.');
    await field(page, 'Phone').fill('+1 202-555-0142');
    await submit(page).click();
    await expect(page).toHaveURL(`${site.origin}/contact-us?sent=1`);
    await expect(page.getByText('Thank you for your message. It has been sent.')).toBeVisible();
  });

  test('subscribe on a page of their own', async ({ page, expectedNoise }) => {
    expectedNoise.push(/409/);
    const email = address();
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' }).click();
    await field(page, 'Email').fill(email);
    await submit(page).click();
    await expect(page.getByText('Thank you for subscribing ✅')).toBeVisible();
    await field(page, 'Email').fill(email);
    await submit(page).click();
    await expect(page.getByText('This email is already subscribed ❌')).toBeVisible();
    await expect(field(page, 'Email')).toHaveValue(email);
  });
});

test('the response to a form post hydrates as the page of its form', async ({
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
  await submit(page).click();
  await expect(field(page, 'Phone')).toBeFocused();
  await expect(page).toHaveURL(`${site.origin}/contact-us`);
  await expect(field(page, 'Phone')).toHaveValue('12');
  await field(page, 'Phone').fill('+1 202-555-0142');
  await expect(field(page, 'Phone')).toHaveAttribute('aria-invalid', 'false');
  await submit(page).click();
  await expect(page.getByText('Thank you for your message. It has been sent.')).toBeVisible();
  await expect(field(page, 'First name')).toHaveValue('');
});

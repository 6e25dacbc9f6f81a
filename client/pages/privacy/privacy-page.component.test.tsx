import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { WEB_VITALS_SAMPLE } from '#shared/models/web-vitals.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

test('says what the browser stores and what it sends without being asked', async () => {
  stubApi(NAVIGATION);
  await renderPage('/privacy-policy');
  await expect.element(page.getByText(/last eight searches/)).toBeVisible();
  expect(WEB_VITALS_SAMPLE).toBe(1 / 10);
  await expect.element(page.getByText(/One visit in ten sends us/)).toBeVisible();
  // What others keep, and what is kept beside the site.
  for (const text of [
    /typed into a form and not sent is kept in the tab/,
    /belongs to its provider, which learns your network address/,
    /a database beside it on our server/,
    /refuses stays in the queue for thirty days/,
  ])
    await expect.element(page.getByText(text)).toBeVisible();
});

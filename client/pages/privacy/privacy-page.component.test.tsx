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
});

import type { Page } from '@playwright/test';
import { startSiteUnderTest } from '../../integration/site-under-test.ts';
import { findViolations } from '../accessibility/find-violations.ts';
import {
  callOps,
  expect,
  measure,
  scriptAdvice,
  scriptSimulator,
  subscribe,
  test,
} from './dashboard-site.ts';

const WIDTHS = [1280, 390];

async function expectClean(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // The header covers no control there.
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await findViolations(page), `${width} pixels wide`).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth),
      'no sideways scrolling',
    ).toBeLessThanOrEqual(width);
  }
}

test('axe finds nothing on the overview, with and without a mode', async ({ page, own, open }) => {
  await fetch(`${own.origin}/topic/news`);
  await open();
  await expectClean(page);
  await callOps(own, 'PATCH', '/cache/mode', { mode: 'freeze' });
  await expect(page.getByRole('region', { name: 'Mode in force' })).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on the policies and the preview of a change', async ({ page, open }) => {
  await scriptSimulator(page);
  await open('policies/topic');
  await expect(page.getByRole('button', { name: 'Fill in a TTL of 1 h' })).toBeVisible();
  await expectClean(page);
  await page.getByLabel('TTL, seconds').fill('300');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByRole('button', { name: 'Set this policy' })).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on the instances, one of which is alarming', async ({ page, open }) => {
  // In a column that a phone shows only when the table is scrolled.
  await page.route('**/instances', async (route) => {
    const response = await route.fetch();
    const list: { instances: { residentBytes: number }[] } = await response.json();
    for (const instance of list.instances) instance.residentBytes = 1e9;
    await route.fulfill({ response, json: list });
  });
  await open('instances');
  await expect(page.getByRole('grid', { name: 'Instances' }).locator('.alarming')).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on the TTL advisor', async ({ page, open }) => {
  await scriptAdvice(page);
  await open('ttl-advisor');
  await page.getByRole('button', { name: 'Show advice' }).click();
  await expect(page.getByRole('row', { name: /^topic/ })).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on Web Vitals', async ({ page, own, open }) => {
  await measure(own.origin, { lcp: 5_000, failedChunks: 1 });
  await open('web-vitals');
  await expect(page.getByRole('row', { name: /^\/topic\/:category/ })).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on a purge and its confirmation', async ({ page, open }) => {
  await open('purge');
  await page.getByLabel('Tags').fill('topic');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByRole('button', { name: 'Purge softly' })).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on the cache inspector', async ({ page, own, open }) => {
  await fetch(`${own.origin}/`);
  await open('cache-inspector');
  await page.getByRole('button', { name: 'Inspect' }).click();
  await expect(page.getByRole('grid', { name: 'Built from' })).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on the overrides and their confirmation', async ({ page, open }) => {
  await open('overrides');
  await page.getByLabel(/^Stretch/).check();
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByRole('button', { name: /^Stretch for/ })).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on the outbox', async ({ page, own, open }) => {
  await own.faults([{ path: '/api/subscribe/add', kind: 'status', status: 400 }]);
  await subscribe(own);
  await open('outbox');
  await expect(page.getByRole('row').filter({ hasText: 'rejected' }).first()).toBeVisible();
  await expectClean(page);
});

test('axe finds nothing on the docs, whose links stay in the dashboard', async ({ page, open }) => {
  await open('docs/outbox');
  await expect(page.getByRole('heading', { level: 2, name: 'Outbox' })).toBeVisible();
  await expectClean(page);
  await page.getByRole('navigation', { name: 'Docs' }).getByRole('link', { name: 'Tune TTLs' }).click();
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toBeVisible();
});

test('axe finds nothing on the token form', async ({ page, expectedNoise }) => {
  expectedNoise.push(/401/);
  const guarded = await startSiteUnderTest({ OPS_TOKEN: 'a-token-of-the-operators' });
  try {
    await page.goto(guarded.ops);
    await expect(page.getByLabel('Operators’ token')).toBeVisible();
    await expectClean(page);
  } finally {
    await guarded.close();
  }
});

test('a skip link leads to the view, and a new view has the focus on its heading', async ({ page, open }) => {
  await open();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to the view' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('link', { name: 'Purge', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Purge' })).toBeFocused();
  await expect(page).toHaveTitle('Purge | Cockpit');
});

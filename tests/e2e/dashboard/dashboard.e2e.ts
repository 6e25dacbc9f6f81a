import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { declarations, shownLabels } from '#shared/metric-declarations.ts';
import { findViolations } from '../accessibility/find-violations.ts';
import { callOps, expect, subscribe, test } from './dashboard-site.ts';

async function expectClean(page: Page): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await findViolations(page), `${width} pixels wide`).toEqual([]);
    const scroll = await page.evaluate(() =>
      Math.max(...[...document.querySelectorAll('html, .scroll')].map((one) => one.scrollWidth)),
    );
    expect(scroll, 'no sideways scrolling').toBeLessThanOrEqual(width);
  }
}

test('the four views load, have a heading and a title, and axe finds nothing', async ({
  page,
  own,
  open,
}) => {
  await fetch(`${own.origin}/topic/news`);
  await open();
  for (const name of ['Overview', 'Cache', 'Messages', 'Changes']) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeAttached();
    await expect(page).toHaveTitle(`${name} | Cockpit`);
    await expectClean(page);
  }
});

/** No numbers of the overview: its sentences, and what the page of a resource's policy shows. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'first sentence',
  'Events',
  'data reads/min',
  'hit ratio',
  'measured',
]);

test('every number of the overview has the metrics in its tooltip that are declared for it, and is explained', async ({
  page,
  own,
  open,
}) => {
  await (await fetch(`${own.origin}/topic/news`)).text();
  await open();
  await expect(page.getByRole('row').filter({ hasText: 'post.topic' })).toBeVisible();
  const shown = await page
    .locator('main [title]')
    .evaluateAll((all) =>
      all.map(
        (one) => [one.getAttribute('title') ?? '', (one.querySelector('dt') ?? one).textContent] as const,
      ),
    );
  const declared = declarations().flatMap(([name, metric]) =>
    shownLabels(metric).map((label) => [name, label]),
  );
  const found = shown.flatMap(([title, label]) => {
    const [name] = /^\w+/.exec(title) ?? [];
    return declarations().some(([metric]) => metric === name) ? [[name, label]] : [];
  });
  expect(found.length).toBeGreaterThan(20);
  for (const one of found) expect(declared).toContainEqual(one);
  const labels = new Set(found.map(([, label]) => label));
  for (const [name, label = ''] of declared)
    if (!ELSEWHERE.has(label)) expect(labels, `${name} in client/dashboard/overview`).toContain(label);
  const text = await readFile(join(import.meta.dirname, '../../../docs/operating/dashboard.md'), 'utf8');
  const [, explained] = text.split('## What the numbers mean');
  // What a rate counts is the help of its metric.
  const rates = new Set(declarations().flatMap(([, { lines = [] }]) => lines.map((line) => line.label)));
  for (const [, label = ''] of found)
    if (!rates.has(label)) expect(explained, 'docs/operating/dashboard.md').toContain(label);
});

test('a policy is changed where its curve is: previewed, set, listed, and taken back', async ({
  page,
  own,
  open,
}) => {
  for (let nth = 0; nth < 5; nth++) await (await fetch(`${own.origin}/topic/news`)).text();
  await open('cache/topic');
  await expect(page.getByRole('rowheader', { name: 'measured' })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'simulated' })).toBeVisible();
  const ttl = page.getByLabel('TTL, seconds');
  await ttl.fill('1e99');
  await page.getByRole('button', { name: 'Preview the change' }).click();
  await expect(page.getByText('TTL in seconds must be a whole number')).toBeVisible();
  await ttl.fill('300');
  await page.getByRole('button', { name: 'Preview the change' }).click();
  const effect = page.getByRole('group', { name: 'Preview the change: effect' });
  await expect(effect).toBeFocused();
  await expect(effect).toContainText('TTL: 30 s to 5 min');
  await expectClean(page);
  // Another operator changes another age meanwhile.
  await callOps(own, 'PATCH', '/cache/policies/topic', { swr: 500 });
  await effect.getByRole('button', { name: 'Set this policy' }).click();
  await expect(page.getByText('topic: TTL 5 min, SWR 8 min 20 s')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Preview the change' })).toBeFocused();
  await expect(ttl).toHaveValue('300');
  await expect(page.getByLabel('SWR, seconds')).toHaveValue('500');
  expect((await callOps(own, 'GET', '/cache/policies')).topic).toMatchObject({ ttl: 300, swr: 500 });
  await page.getByRole('link', { name: 'Changes' }).click();
  // Undo adds a row above, which has the ages the other way round.
  const row = page.getByRole('row').filter({ hasText: 'TTL 30 s to 5 min' });
  await row.getByRole('button', { name: 'Undo' }).click();
  await expect(row.getByRole('status')).toHaveText('It is as before.');
  await expect.poll(async () => (await callOps(own, 'GET', '/cache/policies')).topic.ttl).toBe(30);
});

test('what failed links to its page and its key in the inspector', async ({ page, own, open }) => {
  await own.faults([{ path: '/api/post/topic/*', kind: 'status', status: 503 }]);
  for (let nth = 0; nth < 3; nth++) await fetch(`${own.origin}/topic/podcasts`);
  await open();
  await page.getByRole('link', { name: 'Inspect /topic/podcasts' }).click();
  await expect(page.getByText('/topic/podcasts: not cached: its last response was a 503')).toBeVisible();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: 'post.topic' })
    .getByRole('link', { name: /^503, / })
    .click();
  await expect(page.getByText('topic/podcasts//1/10: a key of the content cache.')).toBeVisible();
  const failure = page.getByRole('row').filter({ hasText: 'topic/podcasts//1/10' });
  await expect(failure).toContainText('Network response was not ok (503)');
});

test('choosing a range keeps the focus', async ({ page, open }) => {
  await open();
  const range = page.getByLabel('Range');
  await range.focus();
  await range.selectOption('6 h');
  await expect(page).toHaveURL(/overview\/360/);
  await expect(range).toBeFocused();
});

test('a page is inspected and purged from there, after a dry run; an unknown tag says so', async ({
  page,
  own,
  open,
}) => {
  await (await fetch(`${own.origin}/topic/news`)).text();
  await open('cache');
  await page.getByLabel('URL of a page, or a key').fill('/topic/news');
  await page.getByRole('button', { name: 'Inspect' }).click();
  await expect(page.getByRole('rowheader', { name: /^topic\/news/ })).toBeVisible();
  await page.getByRole('button', { name: 'Purge: this page' }).click();
  const effect = page.getByRole('group', { name: 'Purge: this page: effect' });
  await expect(effect).toContainText('1 entry: topic/news');
  await expect(effect).toContainText('/topic/news');
  await effect.getByRole('button', { name: 'Purge it' }).click();
  await expect(page.getByText('1 entry purged.')).toBeVisible();
  await page.getByLabel('Tags').fill('post:none');
  await page.getByRole('button', { name: 'Purge: post:none' }).click();
  await expect(page.getByText('No entry has the tag post:none.')).toBeVisible();
});

test('a mode is set, is on every view, and ends there', async ({ page, own, open }) => {
  await open('cache');
  await page.getByRole('button', { name: 'Preview the mode' }).click();
  await page.getByRole('button', { name: 'Set it for 15 min' }).click();
  const banner = page.getByRole('region', { name: 'Mode in force' });
  await expect(banner).toContainText('Frozen');
  await page.getByRole('link', { name: 'Messages' }).click();
  await banner.getByRole('button', { name: 'Back to normal now' }).click();
  await expect(banner).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  expect((await callOps(own, 'GET', '/cache/mode')).mode).toBe('normal');
});

test('messages are grouped by kind and error', async ({ page, own, open }) => {
  await own.faults([{ path: '/api/subscribe/*', kind: 'status', status: 503 }]);
  await subscribe(own);
  await subscribe(own);
  await open('messages');
  await expect(page.getByText('2 submissions wait')).toBeVisible();
  await expect(page.getByText(/oldest 50 that wait are listed/)).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'subscription' });
  await expect(row).toContainText('pending');
  await expect(page.getByRole('columnheader', { name: 'next attempt' })).toBeVisible();
  await row.getByRole('button', { name: 'subscription' }).click();
  await expect(page.getByText(/The oldest 2 of 2 listed: subscription, pending/)).toBeVisible();
  await expectClean(page);
});

test('what the upstream rejected is discarded at once, after a preview', async ({ page, own, open }) => {
  await own.faults([{ path: '/api/subscribe/*', kind: 'status', status: 422 }]);
  await subscribe(own);
  await subscribe(own);
  await open('messages');
  await expect(page.getByText('2 rejected')).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'status 422' });
  await row.getByRole('button', { name: 'Discard all of subscription' }).click();
  await expect(row.getByText('This cannot be taken back')).toBeVisible();
  await row.getByRole('button', { name: 'Discard them' }).click();
  await expect(page.getByText('The outbox is empty.')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('a query that fails says so in its place, and the rest stays', async ({ page, open, expectedNoise }) => {
  expectedNoise.push(/500/);
  await page.route('**/cache/policies', (route) =>
    route.fulfill({ status: 500, json: { detail: 'The disk is full.' } }),
  );
  await open('cache');
  await expect(page.getByText('Not up to date: The disk is full.')).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'topic', exact: true })).toBeVisible();
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { declarations, shownLabels } from '#shared/metric-declarations.ts';
import { inTurn } from '../../matrix.ts';
import { findViolations } from '../accessibility/find-violations.ts';
import { callOps, expect, subscribe, test } from './dashboard-site.ts';

const WIDTHS = [1440, 390];

/** Expects that nothing scrolls sideways in both widths, and that axe finds nothing, in the one of them whose turn it is. */
async function expectClean(page: Page, turn: number): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => window.scrollTo(0, 0));
    if (inTurn(WIDTHS, turn).includes(width))
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
  for (const [index, name] of ['Overview', 'Cache', 'Messages', 'Changes'].entries()) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeAttached();
    await expect(page).toHaveTitle(`${name} | Cockpit`);
    await expectClean(page, index);
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
  await expectClean(page, 0);
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
  await expect(row.getByRole('time')).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  await row.getByRole('button', { name: 'Undo' }).click();
  await expect(row.getByRole('status')).toHaveText('It is as before.');
  await expect.poll(async () => (await callOps(own, 'GET', '/cache/policies')).topic.ttl).toBe(30);
});

test('of a resource that nobody has read nothing is known to be saved', async ({ page, open }) => {
  await open('cache/event');
  const inForce = page.getByRole('row').filter({ hasText: 'simulated, in force' });
  await expect(inForce).toContainText('–');
  await expect(inForce).not.toContainText('0');
});

test('on a phone a resource that is chosen is in view', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open('cache');
  await page.getByRole('link', { name: 'topic', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'topic' })).toBeInViewport();
});

test('what is applied is what was previewed, whatever is typed or chosen after it', async ({
  page,
  own,
  open,
}) => {
  await open('cache/topic');
  const ttl = page.getByLabel('TTL, seconds');
  await ttl.fill('300');
  await page.getByRole('button', { name: 'Preview the change' }).click();
  await expect(page.getByText('TTL: 30 s to 5 min')).toBeVisible();
  await ttl.fill('1');
  await page.getByRole('button', { name: 'Set this policy' }).click();
  await expect(page.getByText('topic: TTL 5 min')).toBeVisible();
  await page.getByRole('button', { name: 'Preview the mode' }).click();
  await page.getByLabel(/^Bypass/).check();
  await page.getByLabel('Minutes').fill('60');
  await page.getByRole('button', { name: 'Set it for 15 min' }).click();
  await expect(page.getByRole('region', { name: 'Mode in force' })).toContainText('Frozen');
  expect((await callOps(own, 'GET', '/cache/policies')).topic.ttl).toBe(300);
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

test('the inspector’s field names what is inspected, also after going back, and a key keeps its direction to itself', async ({
  page,
  open,
}) => {
  await open(`cache?${new URLSearchParams({ url: 'search/all/\u202Ecba' })}`);
  const field = page.getByLabel('URL of a page, or a key');
  await expect(field).toHaveValue('search/all/\u202Ecba');
  await expect(page.locator('strong bdi')).toHaveText('search/all/\u202Ecba');
  await field.fill('/events');
  await page.getByRole('button', { name: 'Inspect' }).click();
  await expect(page.getByText('/events: not cached')).toBeVisible();
  await page.goBack();
  await expect(field).toHaveValue('search/all/\u202Ecba');
});

test('what would be done to a page is not on offer any more where another is inspected', async ({
  page,
  open,
}) => {
  const inspected = page.locator('strong bdi');
  await open('cache?url=/events');
  await expect(inspected).toHaveText('/events');
  await page.getByLabel('URL of a page, or a key').fill('/topic/news');
  await page.getByRole('button', { name: 'Inspect' }).click();
  await expect(inspected).toHaveText('/topic/news');
  await page.getByRole('button', { name: 'Purge: this page' }).click();
  await expect(page.getByRole('button', { name: 'Purge it' })).toBeVisible();
  await page.goBack();
  await expect(inspected).toHaveText('/events');
  await expect(page.getByRole('button', { name: 'Purge it' })).toBeHidden();
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
  await expectClean(page, 1);
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

test('a change without a response says after 30 seconds that it may be made later', async ({
  page,
  open,
}) => {
  await page.clock.install();
  await open('cache');
  await page.getByRole('button', { name: 'Purge: everything' }).click();
  await expect(page.getByRole('group', { name: 'Purge: everything: effect' })).toContainText(
    'built from them',
  );
  await page.route('**/cache/purge', () => new Promise(() => undefined));
  await page.getByRole('button', { name: 'Purge it' }).click();
  await expect(page.getByText('Working…')).toBeVisible();
  await page.clock.fastForward(31_000);
  await expect(
    page.getByText('The listener has not responded for 30 s. It may do this later: see Changes.'),
  ).toBeVisible();
});

test('a live view that the listener refuses says why', async ({ page, own, expectedNoise }) => {
  expectedNoise.push(/503/);
  const detail = '6 streams are open already.';
  await page.route('**/live', (route) => route.fulfill({ status: 503, json: { detail } }));
  await page.goto(`${own.ops}/#/overview`);
  await expect(page.getByText(`Not up to date: ${detail}`)).toBeVisible();
});

test('what was changed is not said to be nothing before it is known', async ({
  page,
  open,
  expectedNoise,
}) => {
  expectedNoise.push(/500/);
  await page.route('**/changes', (route) =>
    route.fulfill({ status: 500, json: { detail: 'The disk is full.' } }),
  );
  await open('changes');
  await expect(page.getByText('Not up to date: The disk is full.')).toBeVisible();
  await expect(page.getByText('Nothing was changed.')).toBeHidden();
});

test('in forced colours the view, the lines of a plot and what alarms are still told apart', async ({
  page,
  own,
  open,
}) => {
  await own.faults([{ path: '/api/subscribe/*', kind: 'status', status: 422 }]);
  await subscribe(own);
  await page.emulateMedia({ forcedColors: 'active' });
  await open();
  const marks = await page.evaluate(() => {
    const all = (css: string, of: (one: Element) => string) => [...document.querySelectorAll(css)].map(of);
    return {
      views: all('nav a', (link) => getComputedStyle(link).borderBottomWidth),
      lines: all('.plot:nth-of-type(2) dt', (dt) => getComputedStyle(dt, '::before').backgroundColor),
    };
  });
  expect(marks.views).toEqual(['2px', '0px', '0px', '0px']);
  expect(new Set(marks.lines).size).toBe(3);
  const rejected = page.locator('.legend div', { hasText: 'rejected' }).locator('dd');
  await expect(rejected).toHaveCSS('background-color', 'rgb(200, 30, 60)');
});

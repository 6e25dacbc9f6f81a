import { expect, test } from './dashboard-site.ts';

const send = (ops: string, method: string, path: string, body: object) =>
  fetch(`${ops}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('are readers affected? Service levels stand first, with objective and budget left', async ({
  page,
  own,
  open,
}) => {
  await fetch(`${own.origin}/topic/news`);
  await open();
  const levels = page.getByRole('region', { name: /^Service levels/ });
  await expect(levels).toContainText('Availability100 %objective 99.9 %, budget left 100 %');
  await own.faults([{ path: '/api/*', kind: 'status', status: 500 }]);
  expect((await fetch(`${own.origin}/topic/interviews`)).status).toBe(503);
  await expect(levels.getByRole('link', { name: /^Alarming: \d/ }).first()).toBeVisible();
  await expect(levels).toContainText('budget left none');
});

test('is it us or the upstream? Operations are listed with the failing first', async ({
  page,
  own,
  open,
}) => {
  await fetch(`${own.origin}/topic/news`);
  await own.faults([{ path: '/api/post/topic/*', kind: 'status', status: 500 }]);
  await fetch(`${own.origin}/topic/interviews`);
  await open();
  const first = page.getByRole('grid', { name: 'Upstream by operation' }).getByRole('row').nth(1);
  await expect(first).toContainText('post.topic');
  await expect(first.locator('.alarming')).toBeVisible();
});

test('which resource? The one with errors stands first, and rows stay while one has the focus', async ({
  page,
  own,
  open,
}) => {
  await own.faults([{ path: '/api/post/topic/*', kind: 'status', status: 500 }]);
  await open();
  const rows = page.getByRole('grid', { name: 'Resources' }).locator('tbody').getByRole('row');
  const name = (await rows.first().getByRole('rowheader').textContent()) ?? '';
  await rows.first().getByRole('rowheader').getByRole('link').focus();
  await fetch(`${own.origin}/topic/interviews`);
  await expect(page.getByRole('row', { name: /^topic/ }).locator('.alarming')).toBeVisible();
  await expect(rows.first()).toContainText(name);
  await page.getByRole('heading', { level: 1 }).focus();
  await expect(rows.first()).toContainText('topic');
});

test('what changed then? Purges, changes and the start are listed, and lead to the audit log', async ({
  page,
  own,
  open,
}) => {
  await send(own.ops, 'POST', '/cache/purge', { tags: ['topic'] });
  await open();
  const events = page.locator('.events');
  await expect(events).toContainText(/\d\d:\d\d:\d\d UTC.* process started/);
  await events.getByRole('link', { name: 'purge' }).click();
  await expect(page.getByRole('row', { name: /purge/ })).toContainText('tags: topic');
});

test('since when? A range is an address, and a longer one is thinned by the server', async ({
  page,
  open,
}) => {
  await open();
  const range = page.getByRole('navigation', { name: 'Range' });
  await expect(range.getByRole('link', { name: '30 min' })).toHaveAttribute('aria-current', 'true');
  const loaded = page.waitForResponse(/history\?minutes=1440/);
  await range.getByRole('link', { name: '24 h' }).click();
  await loaded;
  await expect(page).toHaveURL(/#\/overview\/1440$/);
  await expect(range.getByRole('link', { name: '24 h' })).toHaveAttribute('aria-current', 'true');
  await expect(page.locator('.plot time').first()).toHaveText(/^\d\d:\d\d:\d\d UTC/);
});

test('all plots show the moment under the pointer', async ({ page, open }) => {
  await open('overview/5');
  const times = page.locator('.plot time');
  const newest = page.locator('.status-strip time');
  await expect(times.first()).toHaveText(/UTC/);
  const box = await page.locator('.plot .u-over').first().boundingBox();
  if (!box) throw new Error('the plot is not shown');
  // Left of all points: the first stays the nearest while new ones come.
  await page.mouse.move(box.x + 2, box.y + box.height / 2);
  const before = (await newest.textContent()) ?? '';
  await expect(newest).not.toHaveText(before);
  await expect(newest).not.toHaveText((await times.first().textContent()) ?? '');
  expect(new Set(await times.allTextContents()).size).toBe(1);
});

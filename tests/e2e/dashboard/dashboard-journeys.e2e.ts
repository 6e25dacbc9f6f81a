import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from '@playwright/test';
import { freePort } from '../../free-port.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { test as base, callOps, expect, expectLive, scriptSimulator, subscribe } from './dashboard-site.ts';

/** The questions of whoever is on call. Each is answered within two clicks from the overview. */
const test = base.extend<{ click(target: Locator): Promise<void> }>({
  click: async ({ browserName: _ }, use) => {
    let clicks = 0;
    await use(async (target) => {
      clicks++;
      await target.click();
    });
    expect(clicks, 'clicks').toBeLessThanOrEqual(2);
  },
});

/** Between two failing requests, in milliseconds: an error is in the metrics for ten seconds. */
const REQUEST_INTERVAL_MS = 1_500;

/** Requests a page that fails again and again, until `check` has ended. */
async function whileFailing({ origin }: SiteUnderTest, check: () => Promise<void>): Promise<void> {
  const checked = new AbortController();
  const request = async () => {
    while (!checked.signal.aborted) {
      await (await fetch(`${origin}/topic/interviews`)).text();
      await delay(REQUEST_INTERVAL_MS, undefined, { signal: checked.signal }).catch(() => undefined);
    }
  };
  const requested = request();
  try {
    await check();
  } finally {
    checked.abort();
    await requested;
  }
}

test('are readers affected? Service levels stand first, with objective and budget left', async ({ page }) => {
  // Of its own: the levels are of all requests since the start.
  const site = await startSiteUnderTest();
  try {
    await fetch(`${site.origin}/topic/news`);
    await page.goto(site.ops);
    await expectLive(page);
    const levels = page.getByRole('main').getByRole('region').first();
    await expect(levels).toContainText(/^Service levels/);
    await expect(levels).toContainText('Availability100 %objective 99.9 %, budget left 100 %');
    await site.faults([{ path: '/api/*', kind: 'status', status: 500 }]);
    expect((await fetch(`${site.origin}/topic/interviews`)).status).toBe(503);
    await expect(levels.getByRole('link', { name: /^Alarming: \d/ }).first()).toBeVisible();
    await expect(levels).toContainText('budget left none');
    await page.close();
  } finally {
    await site.close();
  }
});

test('since when? A range is an address, and a longer one is thinned by the server', async ({
  page,
  open,
  click,
}) => {
  await open();
  const range = page.getByRole('navigation', { name: 'Range' });
  await expect(range.getByRole('link', { name: '30 min' })).toHaveAttribute('aria-current', 'true');
  const loaded = page.waitForResponse(/history\?minutes=1440/);
  await click(range.getByRole('link', { name: '24 h' }));
  await loaded;
  await expect(page).toHaveURL(/#\/overview\/1440$/);
  await expect(range.getByRole('link', { name: '24 h' })).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('figure', { name: 'Error rate' }).locator('time')).toHaveText(/UTC/);
});

test('what changed then? Purges, changes and the start are listed, and lead to the audit log', async ({
  page,
  own,
  open,
  click,
}) => {
  await callOps(own, 'POST', '/cache/purge', { tags: ['category:of-this-test'] });
  await open();
  const events = page.locator('.events');
  await expect(events).toContainText(/\d\d:\d\d:\d\d UTC/);
  await click(events.getByRole('link', { name: 'purge' }).first());
  await expect(page.getByRole('row').nth(1)).toContainText('tags: category:of-this-test');
});

test('is it us or the upstream? Operations are listed with the failing first', async ({
  page,
  own,
  open,
}) => {
  await fetch(`${own.origin}/topic/news`);
  await own.faults([{ path: '/api/post/topic/*', kind: 'status', status: 500 }]);
  await open();
  const rows = page.getByRole('grid', { name: 'Upstream by operation' }).locator('tbody').getByRole('row');
  await whileFailing(own, async () => {
    await expect(rows.filter({ hasText: 'post.topic' }).locator('.alarming')).toBeVisible();
    await expect(rows.first().locator('.alarming')).toBeVisible();
    await expect(rows.last().locator('.alarming')).toBeHidden();
  });
});

test('which resource? The one with errors stands first, and rows stay while one has the focus', async ({
  page,
  own,
  open,
}) => {
  await own.faults([{ path: '/api/post/topic/*', kind: 'status', status: 500 }]);
  await open();
  const rows = page.getByRole('grid', { name: 'Resources' }).locator('tbody').getByRole('row');
  await rows.first().getByRole('rowheader').getByRole('link').focus();
  // Read after the focus: until then each point of the stream may sort them anew.
  await expect(rows.and(page.locator(':focus-within'))).toHaveCount(1);
  const names = await rows.getByRole('rowheader').allTextContents();
  await whileFailing(own, async () => {
    await expect(page.getByRole('row', { name: /^topic/ }).locator('.alarming')).toBeVisible();
    await expect(rows.getByRole('rowheader')).toHaveText(names);
    await page.getByRole('heading', { level: 1 }).focus();
    await expect(rows.first()).toContainText('topic');
  });
});

test('what happens if I raise its TTL? Its policy shows what longer ones would have done', async ({
  page,
  open,
  click,
}) => {
  await scriptSimulator(page);
  await open();
  await click(
    page.getByRole('grid', { name: 'Resources' }).getByRole('link', { name: 'topic', exact: true }),
  );
  const longer = page
    .getByRole('grid', { name: 'What other TTLs would do' })
    .getByRole('row', { name: /^1 h/ });
  await expect(longer).toContainText('%');
  await click(longer.getByRole('button', { name: 'Fill in a TTL of 1 h' }));
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('TTL, seconds')).toHaveValue('3600');
});

test('did my purge reach everything? A page shows the state of each response that it is made of', async ({
  page,
  own,
  open,
  click,
}) => {
  await fetch(`${own.origin}/topic/news`);
  await callOps(own, 'POST', '/cache/purge', { tags: ['topic'], soft: true });
  await open();
  await click(page.getByRole('link', { name: 'Cache inspector' }));
  await page.getByLabel('URL of a page').fill('/topic/news');
  await click(page.getByRole('button', { name: 'Inspect' }));
  const topic = page.getByRole('grid', { name: 'Built from' }).getByRole('row', { name: /^topic\// });
  await expect(topic).toContainText('stale');
  await expect(topic).toContainText('softly purged');
  await expect(page.getByRole('row', { name: /^navigation\// }).first()).toContainText('fresh');
});

test('did my purge reach the CDN? Its result says how many are queued there, and the queue what has not', async ({
  page,
}) => {
  let status = 503;
  const port = await freePort();
  const cdn = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  }).listen(port, '127.0.0.1');
  await once(cdn, 'listening');
  const site = await startSiteUnderTest({ CDN: 'varnish', CDN_PURGE_URL: `http://127.0.0.1:${port}` });
  try {
    await page.goto(`${site.ops}/#/purge/topic`);
    await expectLive(page);
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    await page.getByRole('button', { name: 'Purge softly' }).click();
    await expect(page.getByText('0 entries made stale. At the CDN 1 purge is queued.')).toBeVisible();
    const purges = page.getByRole('region', { name: 'CDN purges' });
    await expect(purges).toContainText('queue1');
    status = 200;
    await expect(purges).toContainText('queue0');
    await page.close();
  } finally {
    await site.close();
    cdn.close();
  }
});

test('what is lost if I restart now? The outbox says what is pending, and what stays', async ({
  page,
  own,
  open,
  click,
}) => {
  await own.faults([{ path: '/api/subscribe/add', kind: 'status', status: 503 }]);
  expect((await subscribe(own)).status).toBe(502);
  await open();
  await click(page.getByRole('link', { name: 'Outbox', exact: true }));
  const outbox = page.getByRole('region', { name: 'Pending and rejected' });
  await expect(outbox).toContainText('A restart loses none of these messages');
  await expect(outbox).toContainText(/Pending submissions[1-9]/);
  await expect(page.getByRole('row').filter({ hasText: 'pending' }).first()).toContainText('subscription');
});

test('all plots show the same moment under the pointer', async ({ page, open }) => {
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

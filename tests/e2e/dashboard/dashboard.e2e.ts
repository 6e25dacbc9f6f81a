import type { Locator } from '@playwright/test';
import type { SiteUnderTest } from '../../integration/site-under-test.ts';
import {
  callOps,
  expect,
  measure,
  scriptAdvice,
  scriptSimulator,
  subscribe,
  test,
} from './dashboard-site.ts';

const json = async (address: string) => (await fetch(address)).json();

/** Returns the state of the topic page's primary resource. */
async function stateOfTopic(ops: string): Promise<string> {
  const { dependencies } = await json(`${ops}/cache/explain?url=/topic/news`);
  return dependencies.find(({ resource }: { resource: string }) => resource === 'topic').state;
}

/** Sets a TTL that a busy machine does not exceed. */
const keepTopicFresh = (site: SiteUnderTest) =>
  callOps(site, 'PATCH', '/cache/policies/topic', { ttl: 3_600 });

test('the overview shows the metrics as they change', async ({ page, own, open }) => {
  await open();
  const topic = page.getByRole('row', { name: /^topic/ });
  await expect(topic.getByRole('gridcell').nth(3)).toHaveText('0');
  await fetch(`${own.origin}/topic/news`);
  await expect(topic.getByRole('gridcell').nth(3)).toHaveText('1');
  await expect(topic.getByRole('gridcell').nth(0)).toHaveText('30 s');
  await expect(page.getByRole('heading', { name: 'Upstream latency' })).toBeVisible();
  await expect(page.locator('.plot canvas')).toHaveCount(13);
});

test('every panel names its Prometheus metrics, and the time is in UTC', async ({ page, own, open }) => {
  await open();
  await expect(page.locator('.plot canvas')).toHaveCount(13);
  const panels = page.locator('main .panel, main .plot');
  await expect(panels).toHaveCount(18);
  const exported = await (await fetch(`${own.ops}/metrics`)).text();
  for (const panel of await panels.all()) {
    const names = await panel.locator('.metric-names code').allTextContents();
    expect(names.length).toBeGreaterThan(0);
    await expect(panel.getByRole('link', { name: 'Docs' })).toHaveAttribute(
      'href',
      /^#\/docs\/dashboard\/[\w-]+$/,
    );
    for (const name of names.filter((one) => !one.startsWith('outbox_deliveries')))
      expect(exported).toContain(`# TYPE ${name} `);
  }
  await expect(page.locator('.status-strip time')).toHaveText(/^\d\d:\d\d:\d\d UTC/);
});

test('alarm is a colour of its own: no number turns into it but one above its alert’s threshold', async ({
  page,
  own,
  open,
}) => {
  await own.faults([{ path: '/api/subscribe/add', kind: 'status', status: 400 }]);
  await subscribe(own);
  await open();
  const looks = (number: Locator) =>
    number.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return { color, backgroundColor };
    });
  const alarm = page.getByRole('link', { name: /^Alarming: \d+ messages?$/ });
  const breaker = page.getByRole('link', { name: 'closed' });
  await expect(alarm).toBeVisible();
  const alarming = await looks(alarm);
  const quiet = await looks(breaker);
  expect(alarming.backgroundColor).not.toBe(quiet.backgroundColor);
  await breaker.hover();
  expect(await looks(breaker)).toEqual(quiet);
  await alarm.hover();
  expect(await looks(alarm)).toEqual(alarming);
});

test('every number explains itself to the pointer and to the keyboard, and links to its documentation', async ({
  page,
  open,
}) => {
  await open();
  const numbers = page.locator('main .explained');
  await expect(page.getByRole('grid', { name: 'Resources' })).toBeVisible();
  await expect.poll(() => numbers.count()).toBeGreaterThan(150);
  const breaker = page.getByRole('link', { name: 'closed' });
  const tooltip = page.getByRole('tooltip');
  const title = page.getByRole('heading', { level: 1 });
  // A tooltip opens under a pointer that has moved before.
  await title.hover();
  await breaker.hover();
  await expect(tooltip).toContainText('Half-open: one request probes the upstream');
  await title.hover();
  await expect(tooltip).toBeHidden();
  await page.keyboard.press('Tab');
  await breaker.focus();
  await expect(breaker).toHaveAccessibleDescription(/Half-open.*upstream_circuit_breaker_state/);
  await page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/docs\/metrics-and-alerts\/upstream_circuit_breaker_state$/);
  await expect(page.locator('.docs code', { hasText: 'upstream_circuit_breaker_state' })).toBeInViewport();
});

test('the grid of resources is one tab stop, and arrows lead through it', async ({ page, open }) => {
  await scriptSimulator(page);
  await open();
  const grid = page.getByRole('grid', { name: 'Resources' });
  const rows = grid.locator('tbody').getByRole('row');
  await page
    .locator('.panel', { hasText: 'Upstream by operation' })
    .getByRole('link', { name: 'Docs' })
    .focus();
  await page.keyboard.press('Tab');
  await expect(rows.first()).toBeFocused();
  const name = (await rows.nth(1).getByRole('rowheader').getByRole('link').textContent()) ?? '';
  // By its name: while the focus is outside, the rows may be sorted anew.
  const row = rows.filter({ has: page.getByRole('rowheader').getByRole('link', { name, exact: true }) });
  await page.keyboard.press('ArrowDown');
  await expect(row).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(row.getByRole('rowheader').getByRole('link')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(row.getByRole('gridcell').first().getByRole('link')).toBeFocused();
  await expect(page.getByRole('tooltip')).toContainText('Time to live');
  await page.keyboard.press('End');
  await expect(row.getByRole('gridcell').last().getByRole('link')).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await grid.evaluate((element) => element.contains(document.activeElement))).toBe(false);
  await page.keyboard.press('Shift+Tab');
  await expect(row.getByRole('gridcell').last().getByRole('link')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(row.getByRole('rowheader').getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
});

test.describe('a policy', () => {
  test('changes only after its effect is shown', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await open('policies/topic');
    await page.getByLabel('TTL, seconds').fill('300');
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    const preview = page.getByRole('region', { name: 'Change the policy of topic?' });
    await expect(preview.getByRole('heading')).toBeFocused();
    await expect(preview).toContainText('TTL 30 s → 5 min');
    const row = (name: string) =>
      preview.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('gridcell');
    await expect(row('Upstream requests/min')).toContainText(['20', '2']);
    await expect(row('Mean age')).toContainText(['15 s', '2 min 30 s']);
    await expect(row('Outdated')).toContainText(['0.3 %', '3.0 %']);
    await expect(preview).toContainText('Simulated from 1,204 reads of the last 30 min');
    expect((await json(`${own.ops}/cache/policies`)).topic.ttl).toBe(30);
    const patch = page.waitForRequest((request) => request.method() === 'PATCH');
    await preview.getByRole('button', { name: 'Set this policy' }).click();
    expect((await patch).postDataJSON(), 'what stays follows the configuration').toEqual({ ttl: 300 });
    await expect(
      page.getByText('topic: TTL 5 min, SWR 10 min, SIE 1 d from now on. It survives a restart.'),
    ).toBeVisible();
    expect((await json(`${own.ops}/cache/policies`)).topic).toMatchObject({
      ttl: 300,
      swr: 600,
      changed: true,
    });
    await expect(preview).toBeHidden();
    await expect(page.getByRole('button', { name: 'Preview the effect' })).toBeFocused();
  });

  test('that is longer than the access history is said to be untested', async ({ page, open }) => {
    await scriptSimulator(page);
    await open('policies/topic');
    await page.getByLabel('TTL, seconds').fill('3600');
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    await expect(page.getByText('so that the result is untested')).toBeVisible();
  });

  test('stays when the change is cancelled', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await open('policies/topic');
    await page.getByLabel('TTL, seconds').fill('5');
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Set this policy' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Preview the effect' })).toBeFocused();
    expect((await json(`${own.ops}/cache/policies`)).topic.changed).toBe(false);
  });

  test('is reset to the configured one, by way of a preview too', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await callOps(own, 'PATCH', '/cache/policies/topic', { ttl: 77 });
    await open('policies/topic');
    await page.getByRole('button', { name: 'Preview the configured policy' }).click();
    const preview = page.getByRole('region', { name: 'Reset the policy of topic?' });
    await expect(preview).toContainText('TTL 1 min 17 s → 30 s');
    await preview.getByRole('button', { name: 'Reset to the configured policy' }).click();
    await expect(page.getByText(/^✓ topic: TTL 30 s/)).toBeVisible();
    expect((await json(`${own.ops}/cache/policies`)).topic).toMatchObject({ ttl: 30, changed: false });
  });

  test('can be set from the keyboard alone', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await open('policies/home');
    await page.getByLabel('TTL, seconds').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('90');
    await page.keyboard.press('Enter');
    const preview = page.getByRole('region', { name: 'Change the policy of home?' });
    await expect(preview.getByRole('heading')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(preview.getByRole('row', { name: 'TTL' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(preview.getByRole('button', { name: 'Set this policy' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^✓ home: TTL 1 min 30 s/)).toBeVisible();
    expect((await json(`${own.ops}/cache/policies`)).home.ttl).toBe(90);
  });

  test('is filled in from the simulated TTLs, which changes nothing by itself', async ({
    page,
    own,
    open,
  }) => {
    await scriptSimulator(page);
    await open('policies/topic');
    await page.getByRole('button', { name: 'Fill in a TTL of 1 h' }).click();
    await expect(page.getByLabel('TTL, seconds')).toHaveValue('3600');
    await expect(page.getByText('A TTL of 1 h is filled in. Nothing has changed yet.')).toBeVisible();
    expect((await json(`${own.ops}/cache/policies`)).topic.changed).toBe(false);
  });

  test('without recorded reads is changed without a simulation', async ({ page, open }) => {
    await scriptSimulator(page, { requests: 0 });
    await open('policies/topic');
    await expect(page.getByText('There are no recorded reads yet.')).toBeVisible();
    await page.getByLabel('TTL, seconds').fill('300');
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    await expect(page.getByText('There are no recorded reads: the effect is not known.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Set this policy' })).toBeVisible();
  });
});

test('the TTL advisor links to the preview of each change', async ({ page, open }) => {
  await scriptSimulator(page);
  await scriptAdvice(page);
  await open('ttl-advisor');
  await page.getByLabel('Upstream requests/min, at most').fill('60');
  await page.getByRole('button', { name: 'Show advice' }).click();
  await expect(
    page.getByText('The goal can be reached. Simulated from the reads of the last 1 h: no longer TTL is'),
  ).toBeVisible();
  const topic = page.getByRole('row', { name: /^topic/ });
  await expect(topic).toContainText('2 min, SWR 5 min');
  await expect(page.getByRole('row', { name: /^home/ })).toContainText('no change');
  await topic.getByRole('link', { name: 'Preview topic' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Policies' })).toBeFocused();
  await expect(page.getByLabel('TTL, seconds')).toHaveValue('120');
  await expect(page.getByLabel('SWR, seconds')).toHaveValue('300');
});

test.describe('a purge', () => {
  test('shows what it would affect before it does, and what it did', async ({ page, own, open }) => {
    await keepTopicFresh(own);
    await fetch(`${own.origin}/topic/news`);
    await open('purge');
    await page.getByLabel('Tags').fill('topic, post:4711');
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    const confirmation = page.getByRole('region', { name: 'Make this stale?' });
    await expect(confirmation).toContainText('topic: 1 entry, all of this resource.');
    await expect(confirmation).toContainText('post:4711: every entry with this tag');
    expect(await stateOfTopic(own.ops)).toBe('fresh');
    await confirmation.getByRole('button', { name: 'Purge softly' }).click();
    await expect(page.getByText('1 entry made stale.')).toBeVisible();
    expect(await stateOfTopic(own.ops)).toBe('stale');
  });

  test('of everything takes two steps and empties the cache', async ({ page, own, open }) => {
    await fetch(`${own.origin}/topic/news`);
    await open('purge');
    await page.getByLabel('Everything').check();
    await page.getByLabel(/^Hard/).check();
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    const confirmation = page.getByRole('region', { name: 'Purge this?' });
    await expect(confirmation).toContainText(
      /All of the cache: [1-9]\d* entries, and \d+ pages? built from them\./,
    );
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    expect((await json(`${own.ops}/cache`)).topic.entries).toBe(1);
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    await confirmation.getByRole('button', { name: 'Purge' }).click();
    await expect(page.getByText(/[1-9]\d* entries purged\./)).toBeVisible();
    expect((await json(`${own.ops}/cache`)).topic.entries).toBe(0);
  });

  test('of a page takes its primary resource with it', async ({ page, own, open }) => {
    await fetch(`${own.origin}/topic/news`);
    await open('purge');
    await page.getByLabel('Pages and their primary resources').check();
    await page.getByLabel('Paths').fill('/topic/news');
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    await page.getByRole('button', { name: 'Purge softly' }).click();
    await expect(page.getByText('1 entry made stale; 1 named page was cached.')).toBeVisible();
  });

  test('that is rejected says why', async ({ page, open, expectedNoise }) => {
    expectedNoise.push(/400/);
    await open('purge');
    await page.getByLabel('Pages and their primary resources').check();
    await page.getByLabel('Paths').fill('topic/news');
    await page.getByRole('button', { name: 'Preview the effect' }).click();
    await page.getByRole('button', { name: 'Purge softly' }).click();
    await expect(
      page.getByRole('status').filter({ hasText: 'Not done: The request is not valid. pages.0' }),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Purge softly' })).toBeFocused();
  });
});

test('the cache inspector shows what a page is built from, and a tag links to its purge', async ({
  page,
  own,
  open,
}) => {
  await keepTopicFresh(own);
  await fetch(`${own.origin}/topic/news`);
  await open('cache-inspector');
  await page.getByLabel('URL of a page').fill('/topic/news');
  await page.keyboard.press('Enter');
  const dependencies = page.getByRole('grid', { name: 'Built from' });
  const topic = dependencies.getByRole('row', { name: /^topic\// });
  await expect(topic).toContainText('fresh');
  await expect(page.getByRole('status').filter({ hasText: '/topic/news:' })).toBeVisible();
  await expect(page.getByLabel('URL of a page')).toBeFocused();
  await topic.getByRole('link', { name: 'Purge category:news' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Purge' })).toBeFocused();
  await expect(page.getByLabel('Tags')).toHaveValue('category:news');
});

test('a mode is set with its end, shows on every view, and can be ended', async ({ page, own, open }) => {
  await scriptSimulator(page);
  await open('overrides');
  await page.getByLabel('Minutes').fill('10');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByRole('region', { name: 'Freeze the cache?' })).toContainText(
    'No upstream requests.',
  );
  expect((await json(`${own.ops}/cache/mode`)).mode).toBe('normal');
  await page.getByRole('button', { name: 'Freeze for 10 min' }).click();
  await expect(page.getByText(/^✓ Frozen.* It ends by itself at/)).toBeVisible();
  const banner = page.getByRole('region', { name: 'Mode in force' });
  for (const view of [
    'Overview',
    'Policies',
    'TTL advisor',
    'Purge',
    'Cache inspector',
    'Outbox',
    'Web Vitals',
    'Overrides',
  ]) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
    await expect(page.getByRole('heading', { level: 1, name: view })).toBeVisible();
    await expect(banner).toContainText(/Frozen.* Ends by itself in (10|9) min/);
  }
  await banner.getByRole('button', { name: 'Back to normal now' }).click();
  await expect(banner).toBeHidden();
  expect((await json(`${own.ops}/cache/mode`)).mode).toBe('normal');
});

test('TTLs are stretched by a factor', async ({ page, own, open }) => {
  await open('overrides');
  await page.getByLabel(/^Stretch/).check();
  await page.getByLabel('TTL factor').fill('5');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByText('A TTL of 1 min becomes 5 min.')).toBeVisible();
  await page.getByRole('button', { name: 'Stretch for 1 h' }).click();
  await expect(page.getByRole('region', { name: 'Mode in force' })).toContainText('every TTL × 5');
  expect(await json(`${own.ops}/cache/mode`)).toMatchObject({ mode: 'normal', ttlFactor: 5 });
});

test('a rejected message is retried from the outbox', async ({ page, own, open }) => {
  await own.faults([{ path: '/api/contact/add', kind: 'status', status: 400 }]);
  await fetch(`${own.origin}/api/contact-messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+1-202-555-0123',
      message: '',
      optIn: true,
    }),
  });
  await open('outbox');
  const message = page.getByRole('row').filter({ hasText: 'contact' });
  await expect(message).toContainText('rejected');
  await expect(page.getByText('ada@example.com')).toHaveCount(0);
  await own.faults([]);
  await message.getByRole('button', { name: /^Retry: sends message \d+/ }).click();
  await expect(page.getByText(/^✓ Message \d+ is being sent again\./)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeFocused();
  await expect(message).toBeHidden();
});

test('Web Vitals are shown by page with a rating, and polled', async ({ page, own, open }) => {
  await page.clock.install();
  await open('web-vitals');
  await expect(page.getByRole('heading', { name: /^Web Vitals by/ })).toBeVisible();
  await measure(own.origin, { route: '/events', lcp: 5_000, failedChunks: 2 });
  const row = page.getByRole('row', { name: /^\/events/ });
  await expect(async () => {
    await page.clock.runFor(10_000);
    await expect(row).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(row).toContainText('desktop');
  await expect(row.getByRole('gridcell').nth(2)).toHaveText(/s poor$/);
  await expect(row.getByRole('gridcell').nth(3)).toHaveText(/^\d+ ms$/);
  await expect(page.getByText('/events: 2')).toBeVisible();
});

import { expect, measure, scriptAdvice, scriptSimulator, test } from './dashboard-site.ts';

const json = async (address: string) => (await fetch(address)).json();

/** How the topic stands that the page is about. */
async function stateOfTopic(ops: string): Promise<string> {
  const { parts } = await json(`${ops}/cache/explain?url=/topic/news`);
  return parts.find(({ resource }: { resource: string }) => resource === 'topic').state;
}

test('the overview shows how the site is, as it changes', async ({ page, own, open }) => {
  await open();
  const topic = page.getByRole('row', { name: /^topic/ });
  await expect(topic.getByRole('cell').nth(3)).toHaveText('0');
  await fetch(`${own.origin}/topic/news`);
  await expect(topic.getByRole('cell').nth(3)).toHaveText('1');
  await expect(topic.getByRole('cell').nth(0)).toHaveText('30 s');
  await expect(page.getByRole('heading', { name: 'From memory' })).toBeVisible();
  await expect(page.locator('.plot canvas')).toHaveCount(4);
});

test('every number explains itself to the pointer and to the keyboard', async ({ page, open }) => {
  await open();
  const line = page.getByRole('complementary', { name: 'What a number means' });
  const numbers = page.locator('dd .explained, td .explained, th .explained');
  expect(await numbers.count()).toBeGreaterThan(150);
  const undescribed = await numbers.evaluateAll((all) =>
    all.filter((one) => !document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent),
  );
  expect(undescribed).toEqual([]);
  const breaker = page.getByRole('button', { name: 'closed' });
  await breaker.hover();
  await expect(line).toContainText('Half-open: one call is trying it out');
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(line).toContainText('Point at a number');
  await breaker.focus();
  await expect(line).toContainText('Half-open');
  await expect(breaker).toHaveAccessibleDescription(/Half-open/);
});

test('the table of resources is one tab stop, and arrows lead through it', async ({ page, open }) => {
  await scriptSimulator(page);
  await open();
  const table = page.getByRole('table', { name: 'Resources' });
  await expect(table.locator('[tabindex="0"]')).toHaveCount(1);
  await table.locator('[tabindex="0"]').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'navigation' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(
    page
      .getByRole('row', { name: /^navigation/ })
      .getByRole('button')
      .first(),
  ).toBeFocused();
  await page.keyboard.press('End');
  await expect(
    page
      .getByRole('row', { name: /^navigation/ })
      .getByRole('button')
      .last(),
  ).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'navigation' })).toBeVisible();
});

test.describe('ages', () => {
  test('change only after their effect is shown', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await open('ages/topic');
    await page.getByLabel('ttl, seconds').fill('300');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    const preview = page.getByRole('region', { name: 'Change the ages of topic?' });
    await expect(preview.getByRole('heading')).toBeFocused();
    await expect(preview).toContainText('ttl 30 s → 5 min');
    const row = (name: string) =>
      preview.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell');
    await expect(row('calls a minute')).toContainText(['20', '2']);
    await expect(row('mean age')).toContainText(['15 s', '2 min 30 s']);
    await expect(row('outdated')).toContainText(['0.3 %', '3.0 %']);
    await expect(preview).toContainText('Replayed from 1,204 reads of the last 30 min');
    expect((await json(`${own.ops}/cache/policies`)).topic.ttl).toBe(30);
    const patch = page.waitForRequest((request) => request.method() === 'PATCH');
    await preview.getByRole('button', { name: 'Set these ages' }).click();
    expect((await patch).postDataJSON(), 'what stays follows the configuration').toEqual({ ttl: 300 });
    await expect(
      page.getByText('topic: ttl 5 min, swr 10 min, sie 1 d from now on. It outlives a restart.'),
    ).toBeVisible();
    expect((await json(`${own.ops}/cache/policies`)).topic).toMatchObject({
      ttl: 300,
      swr: 600,
      changed: true,
    });
    await expect(preview).toBeHidden();
    await expect(page.getByRole('button', { name: 'Show what it would do' })).toBeFocused();
  });

  test('that are longer than what was recorded are said to be untested', async ({ page, open }) => {
    await scriptSimulator(page);
    await open('ages/topic');
    await page.getByLabel('ttl, seconds').fill('3600');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    await expect(page.getByText('it has not been put to the test')).toBeVisible();
  });

  test('stay as they are when the effect is not wanted', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await open('ages/topic');
    await page.getByLabel('ttl, seconds').fill('5');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    await page.getByRole('button', { name: 'Leave it as it is' }).click();
    await expect(page.getByRole('button', { name: 'Set these ages' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Show what it would do' })).toBeFocused();
    expect((await json(`${own.ops}/cache/policies`)).topic.changed).toBe(false);
  });

  test('return to the configured ones, by way of a preview too', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await fetch(`${own.ops}/cache/policies/topic`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"ttl":77}',
    });
    await open('ages/topic');
    await page.getByRole('button', { name: 'Show what the configured ages would do' }).click();
    const preview = page.getByRole('region', { name: 'Return topic to the configured ages?' });
    await expect(preview).toContainText('ttl 1 min 17 s → 30 s');
    await preview.getByRole('button', { name: 'Return to the configured ages' }).click();
    await expect(page.getByText(/^✓ topic: ttl 30 s/)).toBeVisible();
    expect((await json(`${own.ops}/cache/policies`)).topic).toMatchObject({ ttl: 30, changed: false });
  });

  test('can be set from the keyboard alone', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await open('ages/home');
    await page.getByLabel('ttl, seconds').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('90');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Change the ages of home?' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^✓ home: ttl 1 min 30 s/)).toBeVisible();
    expect((await json(`${own.ops}/cache/policies`)).home.ttl).toBe(90);
  });

  test('are proposed by the ladder of ttls, which changes nothing by itself', async ({ page, own, open }) => {
    await scriptSimulator(page);
    await open('ages/topic');
    await page.getByRole('button', { name: 'Fill in a ttl of 10 min' }).click();
    await expect(page.getByLabel('ttl, seconds')).toHaveValue('600');
    await expect(page.getByText('A ttl of 10 min is filled in. Nothing has changed yet.')).toBeVisible();
    expect((await json(`${own.ops}/cache/policies`)).topic.changed).toBe(false);
  });

  test('of what nobody has read are changed without a promise', async ({ page, open }) => {
    await scriptSimulator(page, { requests: 0 });
    await open('ages/topic');
    await expect(page.getByText('Nobody has read it yet: come back')).toBeVisible();
    await page.getByLabel('ttl, seconds').fill('300');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    await expect(page.getByText('Nobody has read it yet, so that its effect is not known.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Set these ages' })).toBeVisible();
  });
});

test('advice leads to the preview of each change it proposes', async ({ page, open }) => {
  await scriptSimulator(page);
  await scriptAdvice(page);
  await open('advice');
  await page.getByLabel('Calls a minute, at most').fill('60');
  await page.getByRole('button', { name: 'Ask for advice' }).click();
  await expect(page.getByText('The goal can be reached.')).toBeVisible();
  const topic = page.getByRole('row', { name: /^topic/ });
  await expect(topic).toContainText('2 min, swr 5 min');
  await expect(page.getByRole('row', { name: /^home/ })).toContainText('stays');
  await topic.getByRole('link', { name: 'Preview topic' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ages' })).toBeFocused();
  await expect(page.getByLabel('ttl, seconds')).toHaveValue('120');
  await expect(page.getByLabel('swr, seconds')).toHaveValue('300');
});

test.describe('a purge', () => {
  test('says how much it would touch before it does, and what it did', async ({ page, own, open }) => {
    await fetch(`${own.origin}/topic/news`);
    await open('purge');
    await page.getByLabel('Tags').fill('topic, post:4711');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    const confirmation = page.getByRole('region', { name: 'Make this stale?' });
    await expect(confirmation).toContainText('topic: 1 answer, which is all of this resource.');
    await expect(confirmation).toContainText('post:4711: every answer that carries this tag');
    expect(await stateOfTopic(own.ops)).toBe('fresh');
    await confirmation.getByRole('button', { name: 'Purge softly' }).click();
    await expect(page.getByText('1 answer made stale.')).toBeVisible();
    expect(await stateOfTopic(own.ops)).toBe('stale');
  });

  test('of everything takes two steps and empties the cache', async ({ page, own, open }) => {
    await fetch(`${own.origin}/topic/news`);
    await open('purge');
    await page.getByLabel('Everything').check();
    await page.getByLabel(/^Hard/).check();
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    const confirmation = page.getByRole('region', { name: 'Take this out?' });
    await expect(confirmation).toContainText(
      /All of the cache: [1-9]\d* answers, and the finished pages made of them, of which there are 1\./,
    );
    await confirmation.getByRole('button', { name: 'Leave it as it is' }).click();
    expect((await json(`${own.ops}/cache`)).topic.entries).toBe(1);
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    await confirmation.getByRole('button', { name: 'Purge' }).click();
    await expect(page.getByText(/[1-9]\d* answers taken out\./)).toBeVisible();
    expect((await json(`${own.ops}/cache`)).topic.entries).toBe(0);
  });

  test('of a page takes its subject with it', async ({ page, own, open }) => {
    await fetch(`${own.origin}/topic/news`);
    await open('purge');
    await page.getByLabel('Pages, and what they are about').check();
    await page.getByLabel('Paths').fill('/topic/news');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    await page.getByRole('button', { name: 'Purge softly' }).click();
    await expect(page.getByText('1 answer made stale, and 1 of the named pages stood.')).toBeVisible();
  });

  test('that is refused says why', async ({ page, open, expectedNoise }) => {
    expectedNoise.push(/400/);
    await open('purge');
    await page.getByLabel('Pages, and what they are about').check();
    await page.getByLabel('Paths').fill('topic/news');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    await page.getByRole('button', { name: 'Purge softly' }).click();
    await expect(
      page.getByRole('status').filter({ hasText: 'Not done: The request is not valid. pages.0' }),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Purge softly' })).toBeFocused();
  });
});

test('explain takes a page apart, and a tag leads to its purge', async ({ page, own, open }) => {
  await fetch(`${own.origin}/topic/news`);
  await open('explain');
  await page.getByLabel('Address of a page').fill('/topic/news');
  await page.keyboard.press('Enter');
  const parts = page.getByRole('table', { name: 'Made of' });
  const topic = parts.getByRole('row', { name: /^topic\// });
  await expect(topic).toContainText('fresh');
  await expect(page.getByRole('status').filter({ hasText: '/topic/news:' })).toBeVisible();
  await expect(page.getByLabel('Address of a page')).toBeFocused();
  await topic.getByRole('link', { name: 'Purge category:news' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Purge' })).toBeFocused();
  await expect(page.getByLabel('Tags')).toHaveValue('category:news');
});

test('a mode is set with its end, shows on every view, and can be ended', async ({ page, own, open }) => {
  await scriptSimulator(page);
  await open('modes');
  await page.getByLabel('Minutes').fill('10');
  await page.getByRole('button', { name: 'Show what it would do' }).click();
  await expect(page.getByRole('region', { name: 'Freeze the cache?' })).toContainText(
    'No data is asked for at all.',
  );
  expect((await json(`${own.ops}/cache/mode`)).mode).toBe('normal');
  await page.getByRole('button', { name: 'Freeze for 10 min' }).click();
  await expect(page.getByText(/^✓ Frozen.* It ends by itself at/)).toBeVisible();
  const banner = page.getByRole('region', { name: 'Mode in force' });
  for (const view of ['Overview', 'Ages', 'Advice', 'Purge', 'Explain', 'Outbox', 'Modes']) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
    await expect(page.getByRole('heading', { level: 1, name: view })).toBeVisible();
    await expect(banner).toContainText(/Frozen.* Ends by itself in (10|9) min/);
  }
  await banner.getByRole('button', { name: 'Back to normal now' }).click();
  await expect(banner).toBeHidden();
  expect((await json(`${own.ops}/cache/mode`)).mode).toBe('normal');
});

test('ttls are stretched by a factor', async ({ page, own, open }) => {
  await open('modes');
  await page.getByLabel(/^Stretch/).check();
  await page.getByLabel('Times').fill('5');
  await page.getByRole('button', { name: 'Show what it would do' }).click();
  await expect(page.getByText('A ttl of 1 min becomes 5 min.')).toBeVisible();
  await page.getByRole('button', { name: 'Stretch for 1 h' }).click();
  await expect(page.getByRole('region', { name: 'Mode in force' })).toContainText('every ttl times 5');
  expect(await json(`${own.ops}/cache/mode`)).toMatchObject({ mode: 'normal', ttlFactor: 5 });
});

test('what was refused for good is tried again from the outbox', async ({ page, own, open }) => {
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
  const item = page.getByRole('row', { name: /refused/ });
  await expect(item).toContainText('contact');
  await expect(page.getByText('ada@example.com')).toHaveCount(0);
  await own.faults([]);
  await item.getByRole('button', { name: /^Try again: sends item \d+/ }).click();
  await expect(page.getByText(/^✓ Item \d+ is on its way again\./)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Items' })).toBeFocused();
  await expect(page.getByText('The outbox is empty.')).toBeVisible();
});

test('what readers measured stands by page, judged in words, and anew by and by', async ({
  page,
  own,
  open,
}) => {
  await page.clock.install();
  await open('readers');
  await expect(page.getByText('Nobody of the sample has left a page yet.')).toBeVisible();
  await measure(own.origin, { lcp: 5_000, failedChunks: 2 });
  const row = page.getByRole('row', { name: /^\/topic\/:category/ });
  await expect(async () => {
    await page.clock.runFor(10_000);
    await expect(row).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(row).toContainText('wide');
  await expect(row.locator('[data-explains="largestPaint"]')).toHaveText(/s poor$/);
  await expect(row.locator('[data-explains="longestInteraction"]')).toHaveText(/^\d+ ms$/);
  await expect(page.getByText('/topic/:category: 2')).toBeVisible();
});

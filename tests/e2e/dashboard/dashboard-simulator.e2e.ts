import { expect, scriptSimulator, test } from './dashboard-site.ts';

/** Reads a page repeatedly, so that there is an access history to simulate. */
async function read(origin: string): Promise<void> {
  for (let reader = 0; reader < 20; reader++) await fetch(`${origin}/topic/news`);
}

test('the effect of a TTL is simulated from recorded reads', async ({ page, own, open }) => {
  await read(own.origin);
  await open('policies/topic');
  await expect(page.getByText(/^Simulated from \d+ reads/)).toBeVisible();
  await page.getByLabel('TTL, seconds').fill('600');
  await page.getByLabel('SWR, seconds').fill('60');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  const preview = page.getByRole('region', { name: 'Change the policy of topic?' });
  for (const share of [/^Hit ratio/, /^Fresh/])
    await expect(preview.getByRole('row', { name: share })).toContainText(/\d %.*\d %/);
  await expect(preview).toContainText(/Simulated from \d+ reads/);
});

test('advice is simulated from recorded reads', async ({ page, own, open }) => {
  await read(own.origin);
  await open('ttl-advisor');
  for (const [choice, goal] of [
    ['Limit upstream requests', 'Upstream requests/min, at most'],
    ['Limit the age', 'Age in seconds, at most'],
  ] as const) {
    await page.getByLabel(choice).check();
    await page.getByLabel(goal).fill('60');
    await page.getByRole('button', { name: 'Show advice' }).click();
    await expect(page.getByText(/^✓ The goal can/)).toBeVisible();
    await expect(
      page.getByRole('grid', { name: 'Advised' }).getByRole('row', { name: /^topic/ }),
    ).toBeVisible();
  }
});

test('each point of the curve fills in its TTL', async ({ page, open }) => {
  await scriptSimulator(page);
  await open('policies/topic');
  const grid = page.getByRole('grid', { name: 'What other TTLs would do' });
  await expect(grid.getByRole('row', { name: /^30 s/ })).toContainText('in force');
  const longer = grid.getByRole('row', { name: /^2 min/ });
  await expect(longer).toContainText('15');
  await expect(longer).toContainText('+45 s');
  await longer.getByRole('button', { name: 'Fill in a TTL of 2 min' }).click();
  await expect(page.getByLabel('TTL, seconds')).toHaveValue('120');
  // The same by the pointer, in the plot.
  await page.locator('.curve a').last().click();
  await expect(page.getByLabel('TTL, seconds')).toHaveValue('3600');
});

test('a resource that nobody has read has no curve, and no effect', async ({ page, open }) => {
  await open('policies/search');
  await expect(page.getByText('There are no recorded reads yet.')).toBeVisible();
  await page.getByLabel('TTL, seconds').fill('600');
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await expect(page.getByText('There are no recorded reads: the effect is not known.')).toBeVisible();
});

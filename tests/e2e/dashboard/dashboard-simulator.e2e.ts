import { expect, test } from './dashboard-site.ts';

/** Readers who come again and again, so that the simulator has something to reckon with. */
async function read(origin: string): Promise<void> {
  for (let reader = 0; reader < 20; reader++) await fetch(`${origin}/topic/news`);
}

test('the effect of a ttl is reckoned from what readers did', async ({ page, own, open }) => {
  await read(own.origin);
  await open('ages/topic');
  await expect(page.getByText(/^Reckoned from \d+ reads/)).toBeVisible();
  await page.getByLabel('ttl, seconds').fill('600');
  await page.getByLabel('swr, seconds').fill('60');
  await page.getByRole('button', { name: 'Show what it would do' }).click();
  const preview = page.getByRole('region', { name: 'Change the ages of topic?' });
  for (const share of [/^from memory/, /^fresh/])
    await expect(preview.getByRole('row', { name: share })).toContainText(/\d %.*\d %/);
  await expect(preview).toContainText(/Replayed from \d+ reads/);
});

test('advice is reckoned from what readers did', async ({ page, own, open }) => {
  await read(own.origin);
  await open('advice');
  for (const [choice, goal] of [
    ['Spare the upstream', 'Calls a minute, at most'],
    ['Keep it new', 'Seconds old, at most'],
  ] as const) {
    await page.getByLabel(choice).check();
    await page.getByLabel(goal).fill('60');
    await page.getByRole('button', { name: 'Ask for advice' }).click();
    await expect(page.getByText(/^✓ The goal can/)).toBeVisible();
    await expect(
      page.getByRole('table', { name: 'Advised' }).getByRole('row', { name: /^topic/ }),
    ).toBeVisible();
  }
});

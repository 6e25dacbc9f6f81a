import { findViolations } from '../accessibility/find-violations.ts';
import { callOps, expect, test } from './dashboard-site.ts';

test('the audit log shows who changed what, from where, before and after', async ({ page, own, open }) => {
  await callOps(own, 'PATCH', '/cache/policies/topic', { ttl: 77 });
  await open('audit-log');
  const policy = page.getByRole('row', { name: /policy of topic/ }).first();
  await expect(policy).toContainText('ttl: 30 → 77');
  await expect(policy).toContainText('no token');
  await expect(policy).toContainText('127.0.0.1');
  await callOps(own, 'POST', '/cache/purge', { tags: ['topic'], soft: true });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('tags: topic, soft: true → purged: ');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findViolations(page), `${width} pixels wide`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';
import { test as base, expect } from '../fixtures.ts';

interface InstancesFixtures {
  redis: RedisServer;
  /** Two instances on one Redis. */
  instances: [SiteUnderTest, SiteUnderTest];
}

const test = base.extend<InstancesFixtures>({
  redis: async ({ browserName: _ }, use) => {
    const redis = await startRedis();
    await use(redis);
    await redis.stop();
  },
  instances: async ({ page, redis }, use) => {
    const start = (instanceName: string, demoCms?: string) =>
      startSiteUnderTest(
        { REDIS_URL: redis.url },
        { instanceName, ...(demoCms !== undefined && { demoCms }) },
      );
    const first = await start('web-1');
    const second = await start('web-2', first.demoCms);
    await use([first, second]);
    await page.close();
    await second.close();
    await first.close();
  },
});

test('did my purge reach everything? The result of the purge says so', async ({ page, instances }) => {
  const [first] = instances;
  await page.goto(`${first.ops}/#/purge/topic`);
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await page.getByRole('button', { name: 'Purge softly' }).click();
  await expect(page.getByText(/2 of 2 instances have applied it\./)).toBeVisible();
});

test('a policy, an override and its end say how many instances have applied them', async ({
  page,
  instances,
}) => {
  const [first, second] = instances;
  await page.goto(`${first.ops}/#/policies/topic/77/300/86400`);
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await page.getByRole('button', { name: 'Set this policy' }).click();
  await expect(page.getByText(/2 of 2 instances have applied it\./)).toBeVisible();
  expect((await (await fetch(`${second.ops}/cache/policies`)).json()).topic.ttl).toBe(77);
  await page.goto(`${first.ops}/#/overrides`);
  // The view before it is shown until this one is loaded, and has a button of the same name.
  await expect(page.getByRole('group', { name: 'Override' })).toBeVisible();
  await page.getByRole('button', { name: 'Preview the effect' }).click();
  await page.getByRole('button', { name: /^Freeze for/ }).click();
  await expect(page.getByText(/2 of 2 instances have applied it\./)).toBeVisible();
  await page.getByRole('button', { name: 'Back to normal now' }).click();
  await expect(page.getByText(/normal mode\. 2 of 2 instances have applied it\./)).toBeVisible();
});

test('which instance is it? Each is listed with its metrics, and the sum', async ({ page, instances }) => {
  const [first, second] = instances;
  for (let reader = 0; reader < 20; reader++) await (await fetch(`${second.origin}/events`)).text();
  await page.goto(`${first.ops}/#/instances`);
  await expect(page.getByText('2 of 2 instances have applied every change.')).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Instances' });
  await expect(grid.getByRole('row', { name: /^web-1 \(this one\)/ })).toContainText('applied');
  await expect(grid.getByRole('row', { name: /^web-2/ })).toContainText(/\d\/s/);
  await expect(page.getByRole('region', { name: 'All instances' })).toContainText('2 of 2');
});

test('an instance that stops leaves the list; without Redis the page says what is not known', async ({
  page,
  redis,
  instances,
}) => {
  const [first, second] = instances;
  await page.goto(`${first.ops}/#/instances`);
  const grid = page.getByRole('grid', { name: 'Instances' });
  await expect(grid.getByRole('row', { name: /^web-2/ })).toBeVisible();
  await second.close();
  await expect(grid.getByRole('row', { name: /^web-2/ })).toBeHidden();
  await redis.stop();
  await expect(page.getByText(/^Redis is down: only this instance is known/)).toBeVisible();
  await expect(grid.getByRole('row', { name: /^web-1/ })).toBeVisible();
});

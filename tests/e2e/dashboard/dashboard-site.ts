import type { Page } from '@playwright/test';
import type { SiteUnderTest } from '../../integration/site-under-test.ts';
import { test as base, expect } from '../fixtures.ts';

interface DashboardFixtures {
  /** The site, with an empty cache, configured policies, the normal mode, no messages and no faults. Its counts go on from test to test. */
  own: SiteUnderTest;
  /** Opens a view of its dashboard, and waits for the first metrics. */
  open(view?: string): Promise<void>;
}

export const test = base.extend<DashboardFixtures>({
  // Not the site of the other tests, so that none of those is started.
  baseURL: async ({ dashboardSite }, use) => use(dashboardSite.origin),
  own: async ({ page, dashboardSite }, use) => {
    await use(dashboardSite);
    // First the page: what is undone must not come to a test that has ended.
    await page.close();
    await undoChanges(dashboardSite);
  },
  open: async ({ page, own }, use) => {
    await use(async (view = 'overview') => {
      await page.goto(`${own.ops}/#/${view}`);
      await expectLive(page);
    });
  },
});

/** Calls the operators' listener. */
export async function callOps(site: SiteUnderTest, method: string, path: string, body?: object) {
  const response = await fetch(`${site.ops}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
  return response.json();
}

/** Posts the form of the newsletter. The upstream decides what comes of it. */
export function subscribe(site: SiteUnderTest): Promise<Response> {
  return fetch(`${site.origin}/api/subscriptions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${crypto.randomUUID()}@example.com` }),
  });
}

async function undoChanges(site: SiteUnderTest): Promise<void> {
  await site.faults([]);
  // What waits is delivered now, or rejected: it would be among the messages of the next test.
  await expect
    .poll(async () => (await callOps(site, 'GET', '/outbox')).pending.submissions, { timeout: 30_000 })
    .toBe(0);
  await callOps(site, 'DELETE', '/outbox');
  await callOps(site, 'PATCH', '/cache/mode', { mode: 'normal' });
  const policies: Record<string, { changed: boolean }> = await callOps(site, 'GET', '/cache/policies');
  for (const [resource, { changed }] of Object.entries(policies))
    if (changed) await callOps(site, 'DELETE', `/cache/policies/${resource}`);
  await callOps(site, 'POST', '/cache/purge', { all: true });
}

/** Returns what of the page, of its tables and of their cells is out of sight until one scrolls. */
export function overflows(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.scroll, .scroll :is(th, td)')].flatMap(
      (element) => {
        const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
        const scrolls = element === document.documentElement && innerWidth < 1400;
        const isCut = scrollWidth > clientWidth || (scrollHeight > clientHeight && !scrolls);
        return isCut ? [`${element.tagName} ${element.textContent.slice(0, 40)}`] : [];
      },
    ),
  );
}

/** Waits until the metrics stream is connected. */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

export { expect };

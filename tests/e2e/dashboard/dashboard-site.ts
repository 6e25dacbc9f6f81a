import type { Page } from '@playwright/test';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { test as base, expect } from '../fixtures.ts';

interface WorkerFixtures {
  /** One site for all tests of the dashboard in a worker. */
  dashboardSite: SiteUnderTest;
}

interface DashboardFixtures {
  /** The site, with an empty cache, configured policies, the normal mode and no faults. Its counts go on from test to test. */
  own: SiteUnderTest;
  /** Opens a view of its dashboard, and waits for the first metrics. */
  open(view?: string): Promise<void>;
}

export const test = base.extend<DashboardFixtures, WorkerFixtures>({
  dashboardSite: [
    async ({ browserName: _ }, use) => {
      const site = await startSiteUnderTest();
      await use(site);
      await site.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
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
  await callOps(site, 'PATCH', '/cache/mode', { mode: 'normal' });
  const policies: Record<string, { changed: boolean }> = await callOps(site, 'GET', '/cache/policies');
  for (const [resource, { changed }] of Object.entries(policies))
    if (changed) await callOps(site, 'DELETE', `/cache/policies/${resource}`);
  await callOps(site, 'POST', '/cache/purge', { all: true });
}

/** Waits until the metrics stream is connected. */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

const NOTHING = {
  hitRatio: null,
  freshRatio: null,
  upstreamCallsPerMinute: null,
  meanStalenessSeconds: null,
  maxStalenessSeconds: null,
  outdatedRatio: null,
};

/** The effect of a TTL in the scripted responses below: twice as long, half the calls. */
function candidate(ttl: number) {
  return {
    ttl,
    hitRatio: 1 - 1 / ttl,
    freshRatio: 1 - 2 / ttl,
    upstreamCallsPerMinute: 600 / ttl,
    meanStalenessSeconds: ttl / 2,
    maxStalenessSeconds: ttl,
    outdatedRatio: ttl / 10_000,
  };
}

/**
 * Scripts the simulator, so that a test knows the numbers: the comparison of two policies, and the curve of 30 s, two
 * minutes and an hour. `requests`: 0 for a site without reads.
 */
export async function scriptSimulator(page: Page, { requests = 1_204 } = {}): Promise<void> {
  const recorded = (query: URLSearchParams) => ({
    resource: query.get('resource'),
    observedSeconds: 1_800,
    requests,
    sampleRate: 0.25,
  });
  const simulated = (ttl: number) => ({
    policy: { ttl, swr: 600, sie: 86_400 },
    effect: requests === 0 ? { ttl, ...NOTHING } : candidate(ttl),
  });
  await page.route('**/cache/compare?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [a = 0, b = 0] = ['a', 'b'].map((name) => Number.parseInt(query.get(name) ?? '', 10));
    return route.fulfill({ json: { ...recorded(query), a: simulated(a), b: simulated(b) } });
  });
  await page.route('**/cache/advice/curve?*', (route) =>
    route.fulfill({
      json: {
        ...recorded(new URL(route.request().url()).searchParams),
        current: simulated(30),
        points: [30, 120, 3_600].map((ttl) => ({
          ...simulated(ttl),
          savedUpstreamCallsPerMinute: 20 - 600 / ttl,
          addedStalenessSeconds: ttl / 2 - 15,
        })),
      },
    }),
  );
}

/** Scripts the TTL advisor. */
export async function scriptAdvice(page: Page): Promise<void> {
  const policy = { ttl: 30, swr: 600, sie: 86_400 };
  await page.route('**/cache/advice?*', (route) =>
    route.fulfill({
      json: {
        goal: { upstreamCallsPerMinute: 60 },
        reachable: true,
        observedSeconds: 3_600,
        resources: [
          {
            resource: 'topic',
            policy,
            advised: { ...policy, ttl: 120, swr: 300 },
            current: candidate(30),
            expected: candidate(120),
          },
          { resource: 'home', policy, advised: policy, current: candidate(30), expected: candidate(30) },
        ],
        total: { current: 40, expected: 25 },
      },
    }),
  );
}

export { expect };

/** Sends the Web Vitals of a topic page. */
export async function measure(
  origin: string,
  told: { route?: string; lcp?: number; failedChunks?: number },
): Promise<void> {
  const measured = {
    route: '/topic/:category',
    width: 'wide',
    lcp: 1_200,
    inp: 90,
    cls: 0.01,
    failedChunks: 0,
    ...told,
  };
  const { status } = await fetch(`${origin}/api/vitals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(measured),
  });
  expect(status).toBe(204);
}

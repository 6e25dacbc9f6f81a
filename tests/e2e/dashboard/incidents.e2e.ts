import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { percent } from '#client/dashboard/elements/format.ts';
import { createSampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { buildDemoCms } from '#demo/demo-cms.ts';
import type { FaultRule } from '#demo/faults/fault-rules.ts';
import { type ServerProcess, startServer } from '../../faults/processes/server-process.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { expect, test } from '../fixtures.ts';
import { PAGE_PATHS } from '../page-paths.ts';
import { callOps, overflows } from './dashboard-site.ts';

/** Where pictures of the incidents go; none are taken without it. */
const PICTURES = process.env['INCIDENT_PICTURES'];

const PAGES = ['/', '/topic/news', '/topic/podcasts', '/events'];
const TOPICS = ['news', 'podcasts', 'interview', 'quickbytes', 'featured', 'guest-author'].map(
  (slug) => `/topic/${slug}`,
);
const TIMEOUT_MS = 1_000;
/** How long numbers of the dashboard and of the upstream may take to be of the same moment. */
const AGREEMENT_MS = 60_000;
/** Data goes stale at once, so that every read of a cached page starts a refresh. */
const SHORT_TTLS = {
  CACHE_HOME_TTL: '1',
  CACHE_TOPIC_TTL: '1',
  CACHE_EVENTS_TTL: '1',
  CACHE_ADS_TTL: '1',
};

/** A site before an upstream that counts for itself, and what a reader saw. */
interface Incident {
  site: SiteUnderTest;
  /** Requests that the upstream got, by operation and status; `0`: no response yet. */
  upstream: Map<string, number>;
  /** Responses by their Cache-Status, and by status. */
  seen: Record<'hit' | 'stale' | 'miss' | 'error', number> & { statuses: Map<number, number> };
  read(path: string, times?: number): Promise<void>;
  post(path: string, body: object): Promise<number>;
  faults(rules: FaultRule[]): Promise<void>;
}

/** `/api/post/topic/news?page=1` as `post.topic`. */
function operationOf(url: string): string {
  const [, , first = '', second = ''] = url.split(/[/?]/);
  return first === 'author' ? first : `${first}.${second}`;
}

async function withIncident(
  env: Record<string, string>,
  work: (incident: Incident) => Promise<void>,
): Promise<void> {
  const upstream = new Map<string, number>();
  const demoCms = buildDemoCms({ dataDir: null, faults: true });
  const count = (url: string, status: number) => {
    if (!url.startsWith('/api/')) return;
    const key = `${operationOf(url)} ${status}`;
    upstream.set(key, (upstream.get(key) ?? 0) + 1);
  };
  demoCms.server.on('request', ({ url = '' }, response) => {
    count(url, 0);
    response.once('finish', () => count(url, response.statusCode));
  });
  const origin = await demoCms.listen({ port: 0, host: '127.0.0.1' });
  const site = await startSiteUnderTest({ ...SHORT_TTLS, ...env }, { demoCms: origin });
  const seen = { hit: 0, stale: 0, miss: 0, error: 0, statuses: new Map<number, number>() };
  try {
    await work({
      site,
      upstream,
      seen,
      async read(path, times = 1) {
        for (let nth = 0; nth < times; nth++) {
          const response = await fetch(site.origin + path, { redirect: 'manual' });
          await response.text();
          seen.statuses.set(response.status, (seen.statuses.get(response.status) ?? 0) + 1);
          const status = response.headers.get('cache-status') ?? '';
          if (status && response.status >= 500) seen.error++;
          else if (/fwd=/.test(status)) seen.miss++;
          else if (/ttl=-/.test(status)) seen.stale++;
          else if (/hit/.test(status)) seen.hit++;
        }
      },
      async post(path, body) {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(site.origin + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        await response.text();
        seen.statuses.set(response.status, (seen.statuses.get(response.status) ?? 0) + 1);
        return response.status;
      },
      faults: site.faults,
    });
  } finally {
    await site.close();
    await demoCms.close();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Warms the pages and lets their data go stale. */
async function warm({ read }: Incident): Promise<void> {
  for (const path of PAGES) await read(path, 10);
  await pause(1_200);
}

/** Waits for a verdict, compares every number with those of upstream and reader, and takes the pictures. */
async function expectVerdict(page: Page, incident: Incident, verdict: RegExp, name: string): Promise<void> {
  const { site } = incident;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${site.ops}/#/overview`);
  await expect(page.getByRole('region', { name: 'Verdict' }).getByRole('status')).toHaveText(verdict);
  await expectTrueNumbers(page, incident);
  if (PICTURES) {
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}-1440.png`) });
  }
  expect(await overflows(page), 'the overview at 1440 x 900 needs no scrolling').toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-390.png`), fullPage: true });
  expect(await overflows(page), 'nothing is off-screen at 390').toEqual([]);
  // Before its server goes.
  await page.close();
}

/** Returns the sum of what the upstream counted. `status`: of the responses; 0: all that came. */
function countedUpstream({ upstream }: Incident, operation: string | null, status: number): number {
  return [...upstream].reduce((sum, [key, n]) => {
    const [name, of] = key.split(' ');
    return (operation === null || name === operation) && of === String(status) ? sum + n : sum;
  }, 0);
}

async function expectTrueNumbers(page: Page, incident: Incident): Promise<void> {
  const { site, seen, upstream } = incident;
  // Requests under way are counted when they end.
  await expect
    .poll(async () => (await metricOf(site, 'upstream_requests_total')).total)
    .toBe(countedUpstream(incident, null, 0));
  const metrics = await metricOf(site, 'response_cache_requests_total');
  for (const result of ['hit', 'stale', 'miss', 'error'] as const)
    expect(metrics.by(`result="${result}"`), result).toBe(seen[result]);
  const requests = await metricOf(site, 'http_requests_total');
  for (const [status, n] of seen.statuses) expect(requests.by(`status="${status}"`), `${status}`).toBe(n);

  // Deliveries that fail are tried again meanwhile: both sides are read until they are of the same moment.
  await expect(() => expectTrueHistory(incident)).toPass({ timeout: AGREEMENT_MS });

  const ready = (seen.hit + seen.stale) / (seen.hit + seen.stale + seen.miss + seen.error);
  await expect(numberOf(page, 'Hit ratio')).toHaveText(`${(ready * 100).toFixed(1)} %`);
  const fifths = [...seen.statuses].reduce((sum, [status, n]) => sum + (status >= 500 ? n : 0), 0);
  const all = [...seen.statuses].reduce((sum, [status, n]) => sum + (status === 429 ? 0 : n), 0);
  await expect(numberOf(page, 'Error rate')).toHaveText(
    fifths === 0 ? '0 %' : `${((fifths / all) * 100).toFixed(1)} %`,
  );
  const { pending, rejected } = await callOps(site, 'GET', '/outbox');
  await expect(legendOf(page, 'submissions pending')).toHaveText(`${pending.submissions}`);
  await expect(legendOf(page, 'rejected')).toHaveText(`${rejected}`);
  for (const operation of operationsOf(incident)) {
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: operation, exact: true }) });
    const failed = () =>
      [...upstream].reduce((sum, [key, n]) => {
        const [name, status] = key.split(' ');
        return name === operation && Number(status) >= 400 && Number(status) !== 404 ? sum + n : sum;
      }, 0);
    if (failed() === 0) continue;
    await expect(async () => {
      const share = percent(failed() / countedUpstream(incident, operation, 0));
      expect(await row.textContent(), operation).toContain(`${share} (${failed()} status)`);
    }).toPass({ timeout: AGREEMENT_MS });
  }
}

/** Compares the history with what the upstream counted, and with the server's other numbers. Throws where they differ. */
async function expectTrueHistory(incident: Incident): Promise<void> {
  const { site } = incident;
  const window = createSampleWindow(await callOps(site, 'GET', '/metrics-history'));
  const sent = window.increaseBy('upstream_request_duration_seconds', 'operation');
  for (const operation of operationsOf(incident))
    expect(sent.get(operation), operation).toBe(countedUpstream(incident, operation, 0));
  const cache: Record<string, Record<string, number>> = await callOps(site, 'GET', '/cache');
  for (const resource of ['topic', 'home', 'ads'])
    expect(window.increase('cache_requests_total', { resource, result: 'ready' }), resource).toBe(
      (cache[resource]?.['hits'] ?? 0) + (cache[resource]?.['staleHits'] ?? 0),
    );
  expect(window.increase('upstream_refusals_total')).toBe(
    (await metricOf(site, 'upstream_refusals_total')).total,
  );
}

/** Returns the operations that the upstream was asked for. */
function operationsOf({ upstream }: Incident): Set<string> {
  return new Set([...upstream.keys()].map((key) => key.split(' ', 1)[0] ?? ''));
}

const legendOf = (page: Page, label: string) =>
  page.locator('.legend > div').filter({ hasText: label }).locator('dd');

const numberOf = (page: Page, label: string) =>
  page.locator('.numbers-strip > div').filter({ hasText: label }).locator('dd');

/** Returns the series of a counter in `/metrics`: their sum, and that of those with a label. */
async function metricOf(site: SiteUnderTest, name: string) {
  const text = await (await fetch(`${site.ops}/metrics`)).text();
  const series = [...text.matchAll(new RegExp(`^${name}(\\{.*\\})? (.+)$`, 'gm'))];
  const sum = (some: typeof series) => some.reduce((total, [, , value]) => total + Number(value), 0);
  return {
    total: sum(series),
    by: (label: string) => sum(series.filter(([, labels = '']) => labels.includes(label))),
  };
}

const SUBMISSION = { email: 'a.reader@example.com' };

test.describe('the overview says in its first sentence', () => {
  test.use({ baseURL: '' });

  test('that a slow upstream is slow', async ({ page }) => {
    await withIncident({}, async (incident) => {
      await warm(incident);
      await incident.faults([{ path: '/api/post/topic/*', kind: 'latency', ms: 1_100 }]);
      for (let nth = 0; nth < 4; nth++) {
        await callOps(incident.site, 'POST', '/cache/purge', { tags: ['topic'] });
        await Promise.all(TOPICS.map((path) => incident.read(path)));
      }
      await expectVerdict(
        page,
        incident,
        /^Readers are served.*[\d.]+ % of responses take longer than 0\.25 s since .*\. The upstream is slow since .*: p95 [\d.]+ s on post\.topic\. .*Nothing to do for cached pages; longer TTLs spare the upstream\.$/,
        'slow',
      );
    });
  });

  test('that readers are served while the upstream fails, since when, and with what', async ({ page }) => {
    await withIncident({}, async (incident) => {
      await warm(incident);
      await incident.faults([{ path: '/api/*', kind: 'status', status: 503 }]);
      for (let nth = 0; nth < 5; nth++) for (const path of PAGES) await incident.read(path);
      await expectVerdict(
        page,
        incident,
        /^Readers are served, [\d.]+ % stale\. .*The upstream fails since \d\d:\d\d:\d\d.*: 503 on .*Nothing to do/,
        'status-503',
      );
    });
  });

  test('that everything of the upstream fails, in a table of which every row is seen', async ({ page }) => {
    await withIncident({}, async (incident) => {
      const paths = [...PAGE_PATHS.values()];
      for (const path of paths) await incident.read(path);
      await incident.faults([{ path: '/api/*', kind: 'status', status: 503 }]);
      await callOps(incident.site, 'POST', '/cache/purge', { all: true, soft: true });
      for (const path of paths) await incident.read(path, 2);
      await pause(500);
      for (const path of paths) await incident.read(path, 2);
      await expectVerdict(
        page,
        incident,
        /^Readers are served.*The upstream fails since \d\d:\d\d:\d\d.*: 503 on .*Nothing to do/,
        'all-down',
      );
    });
  });

  test('that the advertisements hang', async ({ page }) => {
    await withIncident({ UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS) }, async (incident) => {
      await warm(incident);
      await incident.faults([{ path: '/api/advertisement/*', kind: 'hang' }]);
      for (let nth = 0; nth < 4; nth++) {
        for (const path of PAGES) await incident.read(path);
        await pause(TIMEOUT_MS + 200);
      }
      await expectVerdict(
        page,
        incident,
        /Readers are served.*fails since .*timeout on advertisement\.get_active/,
        'ads-hang',
      );
    });
  });

  test('that a response has another shape, with field and rule', async ({ page }) => {
    await withIncident({}, async (incident) => {
      await warm(incident);
      await incident.faults([
        { path: '/api/post/topic/*', kind: 'wrong-json', body: { posts: { postData: 'soon' } } },
      ]);
      for (let nth = 0; nth < 4; nth++) {
        await incident.read('/topic/news');
        await incident.read('/topic/podcasts');
        await pause(300);
      }
      await expectVerdict(page, incident, /fails since .*posts.*on post\.topic/, 'wrong-shape');
    });
  });

  test('that deliveries are refused with 403, and wait', async ({ page }) => {
    await withIncident({}, async (incident) => {
      await warm(incident);
      await incident.faults([{ path: '/api/subscribe/*', kind: 'status', status: 403 }]);
      await incident.post('/api/subscriptions', SUBMISSION);
      await incident.post('/api/subscriptions', { email: 'another.reader@example.com' });
      await expectVerdict(
        page,
        incident,
        /fails since .*403 on subscribe\.add.*Nothing is lost/,
        'posts-403',
      );
    });
  });

  test('what was purged, by whom', async ({ page }) => {
    await withIncident({}, async (incident) => {
      await warm(incident);
      await callOps(incident.site, 'POST', '/cache/purge', { all: true });
      for (const path of PAGES) await incident.read(path, 2);
      await expectVerdict(
        page,
        incident,
        /purge: everything, \d+ entries \(no token\) at \d\d:\d\d:\d\d/,
        'purge',
      );
    });
  });

  test('which TTL was changed, from and to', async ({ page }) => {
    await withIncident({}, async (incident) => {
      await warm(incident);
      await callOps(incident.site, 'PATCH', '/cache/policies/topic', { ttl: 300 });
      await incident.read('/topic/news', 5);
      await expectVerdict(page, incident, /topic: TTL 1 s to 5 min \(no token\) at/, 'ttl-change');
    });
  });

  test('that the cache is frozen, and until when', async ({ page }) => {
    await withIncident({}, async (incident) => {
      await warm(incident);
      await callOps(incident.site, 'PATCH', '/cache/mode', { mode: 'freeze', forSeconds: 600 });
      for (const path of PAGES) await incident.read(path, 3);
      await expectVerdict(
        page,
        incident,
        /The cache is frozen until \d\d:\d\d:\d\d.*: nothing is asked of the upstream/,
        'freeze',
      );
    });
  });

  test('that a limit refuses, which is no miss and in no ratio', async ({ page }) => {
    await withIncident({ RATE_LIMIT_READ: '60' }, async (incident) => {
      await warm(incident);
      await incident.read('/topic/news', 32);
      expect(incident.seen.statuses.get(429)).toBe(12);
      await expectVerdict(
        page,
        incident,
        /^Readers are served.*The limit of reads refused 12 requests with 429/,
        'limited',
      );
      expect((await metricOf(incident.site, 'http_refusals_total')).by('limit="read"')).toBe(12);
    });
  });

  test('that the server was restarted, with the curves of before', async ({ page }) => {
    const dir = await mkdtemp(join(tmpdir(), 'incident-'));
    const read = async ({ origin }: ServerProcess, times: number) => {
      for (let nth = 0; nth < times; nth++) await (await fetch(`${origin}/events`)).text();
    };
    try {
      const before = await startServer({ env: { DATA_DIR: dir } });
      await read(before, 7);
      before.kill('SIGTERM');
      expect(await before.ended).toBe(0);
      const after = await startServer({ env: { DATA_DIR: dir } });
      await read(after, 3);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${after.ops}/#/overview`);
      await expect(page.getByRole('region', { name: 'Verdict' }).getByRole('status')).toHaveText(
        /^Readers are served.*\. The server restarted at \d\d:\d\d:\d\d .*Nothing to do\.$/,
      );
      const history = await (await fetch(`${after.ops}/metrics-history`)).json();
      expect(createSampleWindow(history).increase('http_requests_total')).toBe(10);
      if (PICTURES) await page.screenshot({ path: join(PICTURES, 'restart-1440.png') });
      await page.close();
      after.kill('SIGTERM');
      await after.ended;
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createSampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { type ServerProcess, startServer } from '../../faults/processes/server-process.ts';
import { expect, test } from '../fixtures.ts';
import { PAGE_PATHS } from '../page-paths.ts';
import { callOps, overflows } from './dashboard-site.ts';
import { type Incident, withIncident } from './incident.ts';
import { expectTrueNumbers, metricOf } from './true-numbers.ts';

/** Where pictures of the incidents go; none are taken without it. */
const PICTURES = process.env['INCIDENT_PICTURES'];

const PAGES = ['/', '/topic/news', '/topic/podcasts', '/events'];
const TOPICS = ['news', 'podcasts', 'interview', 'quickbytes', 'featured', 'guest-author'].map(
  (slug) => `/topic/${slug}`,
);
const TIMEOUT_MS = 1_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Warms the pages and lets their data go stale. */
async function warm({ read }: Incident): Promise<void> {
  for (const path of PAGES) await read(path, 10);
  await pause(1_200);
}

/**
 * Reads until most requests of an operation have failed. The busier the machine, the longer the warming took, and
 * the more requests of the last minute went well.
 */
async function readUntilMostFail(
  { read, upstream }: Incident,
  operation: string,
  paths: readonly string[],
  pauseMs: number,
): Promise<void> {
  for (;;) {
    for (const path of paths) await read(path);
    await pause(pauseMs);
    const ended = upstream.flatMap((one) => (one.operation === operation && one.ended ? [one.ended] : []));
    const failed = ended.filter(({ outcome }) => outcome !== 'ok');
    if (failed.length > 2 && failed.length > ended.length / 2) return;
  }
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
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${width}.png`), fullPage: true });
    expect(await overflows(page), `nothing is off-screen at ${width}`).toEqual([]);
  }
  // Before its server goes.
  await page.close();
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

  test('that what is not cached is a 503, and how much of it the circuit breaker did not send', async ({
    page,
  }) => {
    await withIncident({}, async (incident) => {
      await incident.faults([{ path: '/api/*', kind: 'status', status: 503 }]);
      for (let nth = 1; nth <= 40; nth++) await incident.read(`/topic/news?page=${nth}`);
      const notSent = await metricOf(incident.site, 'upstream_refusals_total');
      expect(notSent.by('operation="post.topic"')).toBeGreaterThan(0);
      await expectVerdict(
        page,
        incident,
        /^Most readers get an error\..*503 on .*what is not cached is a 503 until it is back\.$/,
        'cold',
      );
    });
  });

  test('that the advertisements hang', async ({ page }) => {
    await withIncident({ UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS) }, async (incident) => {
      await warm(incident);
      await incident.faults([{ path: '/api/advertisement/*', kind: 'hang' }]);
      await readUntilMostFail(incident, 'advertisement.get_active', PAGES, TIMEOUT_MS + 200);
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
      await readUntilMostFail(incident, 'post.topic', ['/topic/news', '/topic/podcasts'], 300);
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
        /^Readers are served.* of responses are 5xx since .*, of form posts alone\. .*fails since .*403 on subscribe\.add\. .*2 submissions wait\. .*Nothing is lost/,
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
      await expectVerdict(page, incident, /Frozen: no upstream requests; .*, until \d\d:\d\d:\d\d/, 'freeze');
    });
  });

  test('that a limit refuses, which is no miss and in no ratio', async ({ page }) => {
    await withIncident({ RATE_LIMIT_READ: '60' }, async (incident) => {
      await warm(incident);
      await incident.read('/topic/news', 32);
      expect(incident.responses.filter(({ status }) => status === 429)).toHaveLength(12);
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
      // Ten responses are too few for a quantile.
      await expect(page.getByRole('region', { name: 'Time to respond' })).toContainText('max –');
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

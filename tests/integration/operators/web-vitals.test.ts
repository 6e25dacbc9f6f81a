import request from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;
beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());

const measured = {
  route: '/topic/:category',
  width: 'narrow',
  lcp: 1_200,
  inp: null,
  cls: 0.02,
  failedChunks: 1,
};
const post = (body: object) => request(site.origin).post('/api/vitals').send(body);

it('a beacon is counted in the Web Vitals histograms, by route and device', async () => {
  await post(measured).expect(204);
  const { text } = await request(site.ops).get('/metrics');
  expect(text).toContain(
    'web_vitals_lcp_seconds_bucket{le="1.5",route="/topic/:category",device="mobile"} 1',
  );
  expect(text).toContain('web_vitals_cls_count{route="/topic/:category",device="mobile"} 1');
  expect(text).toContain('web_vitals_chunk_load_errors_total{route="/topic/:category"} 1');
  expect(text).not.toMatch(/web_vitals_inp_seconds_count\{.*topic/);
});

it.each([
  {},
  { ...measured, route: '/search/all/a-readers-words' },
  { ...measured, route: 'x'.repeat(60) },
  { ...measured, width: 'huge' },
  { ...measured, lcp: -1 },
  { ...measured, lcp: 1e9 },
  { ...measured, cls: 'much' },
  { ...measured, failedChunks: 0.5 },
])('%j is rejected and makes no label', async (body) => {
  const before = (await request(site.ops).get('/metrics')).text.match(/^web_vitals_.*$/gm);
  await post(body).expect(400);
  expect((await request(site.ops).get('/metrics')).text.match(/^web_vitals_.*$/gm)).toEqual(before);
});

it('a beacon is accepted from this site’s pages alone, and up to 1 KiB', async () => {
  await post(measured).set('origin', 'https://evil.example').expect(403);
  await post({ ...measured, more: 'x'.repeat(2_000) }).expect(413);
});

it('the summary has the 75th percentiles by page and device', async () => {
  const topic = { ...measured, route: '/tag/:subcategory', failedChunks: 0 };
  for (const lcp of [600, 700, 900, 3_000]) await post({ ...topic, width: 'wide', lcp, inp: 90 }).expect(204);
  const { body } = await request(site.ops).get('/readers').expect(200);
  const page = body.pages.find(({ route }: { route: string }) => route === topic.route);
  expect(page).toMatchObject({ device: 'desktop', documents: 4 });
  // As fine as the buckets of the histogram: three of four are below a second.
  expect(page.lcpSeconds).toBeCloseTo(1, 5);
  expect(page.inpSeconds).toBeGreaterThan(0.05);
  expect(page.inpSeconds).toBeLessThanOrEqual(0.1);
  expect(page.cls).toBeLessThanOrEqual(0.05);
  expect(body.chunkLoadErrors).toEqual([{ route: '/topic/:category', count: 1 }]);
});

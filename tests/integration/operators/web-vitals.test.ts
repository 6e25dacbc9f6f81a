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

it('a browser that does not measure layout shifts counts for none', async () => {
  const route = '/tag/:subcategory';
  await post({ ...measured, route, cls: null }).expect(204);
  const { text } = await request(site.ops).get('/metrics');
  expect(text).toContain(`web_vitals_lcp_seconds_count{route="${route}",device="mobile"} 1`);
  expect(text).not.toContain(`web_vitals_cls_count{route="${route}"`);
});

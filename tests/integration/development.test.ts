import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest({}, { development: true });
});

afterAll(() => site.close());

it('in development pages are rendered from the sources and hydrated by Vite’s modules', async () => {
  const page = await fetch(site.origin);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('Other Publications');
  const scripts = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src]) => String(src));
  expect(scripts).toContain('/client/entry-client.tsx');
  for (const src of scripts) {
    const script = await fetch(site.origin + src);
    expect(script.headers.get('content-type'), src).toMatch(/javascript/);
  }
});

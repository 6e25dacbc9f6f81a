import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { expect, test } from '../fixtures.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../docs/operating/your-own-site.md'), 'utf8');

/** Returns the code of the documents that has a text in it, so that what is tried is what they say. */
function documented(text: string): string {
  const blocks = [...DOCUMENT.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const found = blocks.find((code) => code.includes(text));
  if (!found) throw new Error(`no example has ${text}`);
  return found;
}

const TAGS = `${documented('plausible')}
${documented('_paq')}
${documented('gtag')}
for (const address of ['https://matomo.example/matomo.js', 'https://www.googletagmanager.com/gtag/js?id=G-EXAMPLE']) {
  const added = document.createElement('script');
  added.src = policy.createScriptURL(address);
  document.head.append(added);
}
document.addEventListener('consent', () => gtag('consent', 'update', { analytics_storage: 'granted' }));
`;

const CSP = {
  'script-src': ['https://plausible.example', 'https://matomo.example', 'https://www.googletagmanager.com'],
  'connect-src': [
    'https://plausible.example',
    'https://matomo.example',
    'https://*.google-analytics.com',
    'https://*.analytics.google.com',
  ],
  'img-src': ['https://matomo.example'],
  'trusted-types': ['tags', 'goog#html'],
};

/** Stand-ins that take calls, and send them, as the vendors' scripts do. */
const STAND_INS: Readonly<Record<string, string>> = {
  'https://plausible.example/js/script.manual.js': `
    const send = (name) => fetch('https://plausible.example/api/event', {
      method: 'POST', keepalive: true, body: JSON.stringify({ name, path: location.pathname }) });
    const waiting = window.plausible.q ?? [];
    window.plausible = send;
    for (const call of waiting) send(...call);`,
  'https://matomo.example/matomo.js': `
    const state = {};
    const run = ([name, ...values]) => {
      if (name !== 'trackPageView') return void (state[name] = values[0]);
      const address = new URL(state.setTrackerUrl);
      address.searchParams.set('url', state.setCustomUrl);
      address.searchParams.set('action_name', state.setDocumentTitle);
      new Image().src = address;
    };
    window._paq.forEach(run);
    window._paq = { push: (...calls) => calls.forEach(run) };`,
  'https://www.googletagmanager.com/gtag/js?id=G-EXAMPLE': `
    trustedTypes.createPolicy('goog#html', { createHTML: (html) => html });
    let storage = 'granted';
    const run = ([command, name, values]) => {
      if (command === 'consent') storage = values.analytics_storage ?? storage;
      if (command !== 'event') return;
      const address = new URL('https://region1.google-analytics.com/g/collect');
      address.searchParams.set('gcs', storage === 'granted' ? 'G101' : 'G100');
      address.searchParams.set('dl', values.page_location);
      fetch(address, { method: 'POST', keepalive: true });
    };
    const layer = window.dataLayer;
    layer.forEach(run);
    layer.push = (call) => run(call);`,
};

test.describe('a publisher with Plausible, Matomo and GA4 in Consent Mode', () => {
  let dir: string;
  let site: SiteUnderTest;
  test.beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'vendor-scripts-'));
    writeFileSync(join(dir, 'tags.js'), TAGS);
    writeFileSync(join(dir, 'csp.json'), JSON.stringify(CSP));
    site = await startSiteUnderTest({ SITE_DIR: dir });
  });
  test.afterAll(async () => {
    await site.close();
    rmSync(dir, { recursive: true });
  });

  test('counts the first page and each navigation, and what a reader agrees to from then on', async ({
    page,
  }) => {
    const sent: string[] = [];
    await page.route(/^https:\/\/(plausible|matomo)\.example|googletagmanager|google-analytics/, (route) => {
      const request = route.request();
      const url = new URL(request.url());
      const script = STAND_INS[url.href];
      if (script !== undefined) return route.fulfill({ contentType: 'text/javascript', body: `{${script}}` });
      if (url.host === 'plausible.example') sent.push(`plausible ${request.postDataJSON().path}`);
      if (url.host === 'matomo.example')
        sent.push(`matomo ${url.searchParams.get('url')} ${url.searchParams.get('action_name')}`);
      if (url.host === 'region1.google-analytics.com')
        sent.push(`ga4 ${url.searchParams.get('gcs')} ${new URL(url.searchParams.get('dl') ?? '').pathname}`);
      return route.fulfill({ status: 204, headers: { 'access-control-allow-origin': '*' } });
    });
    const sorted = () => [...sent].sort();
    const title = (name: string) => `${name} | Martech Meridian`;

    await page.goto(`${site.origin}/about`);
    const first = ['ga4 G100 /about', `matomo /about ${title('About Us')}`, 'plausible /about'];
    await expect.poll(sorted).toEqual(first);

    await page.getByRole('contentinfo').getByRole('link', { name: 'Sitemap' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sitemap' })).toBeVisible();
    const second = ['ga4 G100 /sitemap', `matomo /sitemap ${title('Sitemap')}`, 'plausible /sitemap'];
    await expect.poll(sorted).toEqual([...first, ...second].sort());

    await page.evaluate(() => document.dispatchEvent(new Event('consent')));
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
    await expect
      .poll(sorted)
      .toEqual(
        [...first, ...first, ...second].map((one, index) => (index === 0 ? 'ga4 G101 /about' : one)).sort(),
      );
  });
});

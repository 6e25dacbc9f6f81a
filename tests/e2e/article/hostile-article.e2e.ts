import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { makeHostile } from '../../integration/pages/hostile-post.ts';
import { startSiteUnderTest } from '../../integration/site-under-test.ts';
import { expect, test } from '../fixtures.ts';

const purifier = createRequire(import.meta.url).resolve('dompurify/dist/purify.min.js');

/** Records a page's requests and dialogs, from before its first byte. */
async function watch(page: Page): Promise<{ requests: string[]; dialogs: string[] }> {
  const seen: { requests: string[]; dialogs: string[] } = { requests: [], dialogs: [] };
  page.on('request', (request) => seen.requests.push(request.url()));
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return seen;
}

test.describe('a hostile article, with no policy to stop it', () => {
  // A site of its own: its cache is filled with hostile content.
  test.use({ bypassCSP: true });

  test('runs nothing, escapes nowhere and hides nothing of ours, rendered by the server or in the browser', async ({
    page,
    expectedNoise,
  }) => {
    // The pictures do not exist.
    expectedNoise.push(/Failed to load resource|preloaded/);
    const own = await startSiteUnderTest();
    try {
      const address = await makeHostile(own);
      const seen = await watch(page);
      for (const how of ['from the server', 'in the browser']) {
        if (how === 'from the server') await page.goto(own.origin + address);
        else {
          await page.goto(`${own.origin}/about`);
          await page.evaluate((href) => {
            const link = document.createElement('a');
            link.href = href;
            link.textContent = 'To the article';
            document.querySelector('main')?.prepend(link);
          }, address);
          await page.getByRole('link', { name: 'To the article' }).click();
        }
        await expect(page.locator('h1')).toHaveText(/^Hostile /);
        await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
        await page.locator('.rich-text a').first().hover();
        const found = await page.evaluate(() => {
          const body = document.querySelector('[data-rich-text]');
          const outside = [...(body?.querySelectorAll('*') ?? [])].filter((element) => {
            const { position } = getComputedStyle(element);
            return position === 'fixed' || position === 'sticky';
          });
          return {
            ran: 'hostile' in window,
            fixed: outside.map(({ outerHTML }) => outerHTML.slice(0, 100)),
            mains: document.querySelectorAll('main, #main').length,
            isOurs: document.getElementById('main')?.tagName,
            query: typeof document.getElementById,
            footers: document.querySelectorAll('footer').length,
            wide: document.documentElement.scrollWidth > window.innerWidth,
          };
        });
        expect(found, how).toEqual({
          ran: false,
          fixed: [],
          mains: 1,
          isOurs: 'MAIN',
          query: 'function',
          footers: 1,
          wide: false,
        });
      }
      expect(seen.dialogs).toEqual([]);
      const hosts = new Set(seen.requests.map((url) => new URL(url).host));
      const known = new Set([new URL(own.origin).host, new URL(own.demoCms).host]);
      expect([...hosts].filter((host) => !known.has(host) && /evil|javascript/.test(host))).toEqual([]);
    } finally {
      await own.close();
    }
  });

  test('has nothing left that a second sanitiser would take away', async ({ page, expectedNoise }) => {
    expectedNoise.push(/Failed to load resource|preloaded/);
    const own = await startSiteUnderTest();
    try {
      await page.goto(own.origin + (await makeHostile(own)));
      await page.addScriptTag({ content: await readFile(purifier, 'utf8') });
      const [ours, theirs, raw] = await page.evaluate(() => {
        const purify: unknown = Reflect.get(window, 'DOMPurify');
        if (typeof purify !== 'function' || !('sanitize' in purify)) throw new Error('no second opinion');
        const sanitize = purify.sanitize;
        if (typeof sanitize !== 'function') throw new Error('no second opinion');
        const options = { ADD_ATTR: ['tabindex'] };
        const clean = (html: string) => {
          const holder = document.createElement('div');
          holder.innerHTML = String(sanitize.call(purify, html, options));
          return holder.innerHTML;
        };
        const html = document.querySelector('[data-rich-text]')?.innerHTML ?? '';
        return [html, clean(html), clean('<p onclick="x">y</p>')];
      });
      expect(raw).toBe('<p>y</p>');
      expect(theirs).toBe(ours);
      expect(String(ours).length).toBeGreaterThan(1_000);
    } finally {
      await own.close();
    }
  });
});

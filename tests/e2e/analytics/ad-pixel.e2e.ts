import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { expect, test } from '../fixtures.ts';

const PIXEL = 'https://pixel.example/seen?ad=1';
const SLOT = '[data-slot="Footer-3"]';

let site: SiteUnderTest;
let dir: string;
test.beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'site-'));
  writeFileSync(join(dir, 'csp.json'), JSON.stringify({ 'img-src': ['https://pixel.example'] }));
  site = await startSiteUnderTest({ SITE_DIR: dir });
  const ad = { banner_type: 'Footer-3', banner_img: '/ads/none.jpg', banner_name: 'Seen', pixel_url: PIXEL };
  await site.faults([{ path: '/api/advertisement/get_active', kind: 'wrong-json', body: [ad] }]);
});
test.afterAll(async () => {
  await site.close();
  rmSync(dir, { recursive: true });
});

/** Scrolls until a share of the slot is in view, and waits until its observers have been told. */
async function showShare([selector, share]: readonly [selector: string, share: number]): Promise<void> {
  const slot = document.querySelector(selector);
  if (slot === null) throw new Error('there is no such slot');
  const { top, height } = slot.getBoundingClientRect();
  window.scrollBy({ top: top - window.innerHeight + height * share, behavior: 'instant' });
  // Observers are told in the order in which they were made.
  await new Promise((resolve) => new IntersectionObserver(resolve).observe(slot));
}

test('the pixel of an advertisement is asked for once, when half of it has been visible for a second', async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  const asked: string[] = [];
  await page.route('https://pixel.example/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ status: 204 });
  });
  await page.clock.install();
  await page.goto(`${site.origin}/topic/news`);
  await page.waitForSelector('html[data-hydrated]');
  // An installed clock goes on with the real one, a paused one only when it is told.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  const show = (share: number) => page.evaluate(showShare, [SLOT, share] as const);
  await show(0.4);
  await page.clock.runFor(5_000);
  await show(0.6);
  await page.clock.runFor(900);
  await show(0.4);
  await page.clock.runFor(5_000);
  expect(asked).toEqual([]);
  await show(0.6);
  await page.clock.runFor(1_000);
  await expect.poll(() => asked).toEqual([PIXEL]);
  await show(0);
  await show(1);
  await page.clock.runFor(5_000);
  expect(asked).toEqual([PIXEL]);
});

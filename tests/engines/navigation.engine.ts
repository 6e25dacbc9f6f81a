import { inTurn } from '../matrix.ts';
import { expect, test } from './fixtures.ts';
import { NARROW, WIDE } from './site-page.ts';

test('a link changes the page within the document, and focuses its heading', async ({ sitePage }) => {
  await sitePage.open('/', WIDE);
  await sitePage.evaluate(() => {
    document.documentElement.dataset['same'] = '';
    return null;
  });
  await sitePage.click('main h2 a, main h3 a');
  await sitePage.untilAt(/^\/[a-z-]+\/[a-z0-9-]+$/);
  await sitePage.untilFocused('h1');
  await sitePage.until('it is the same document', () => 'same' in document.documentElement.dataset);
  await sitePage.until('the title is the heading’s', () =>
    document.title.startsWith(document.querySelector('h1')?.textContent ?? '?'),
  );
  await sitePage.until('the page starts at its top', () => scrollY === 0);
});

const LEFT_PAGES = ['/', '/topic/news', '/search/all/the', '/tag/customer-data'];

for (const [index, path] of LEFT_PAGES.entries())
  for (const size of inTurn([WIDE, NARROW], index)) {
    test(`Back leads to where the reader was on ${path}, ${size.width} pixels wide`, async ({ sitePage }) => {
      await sitePage.open(path, size);
      const place = await sitePage.scrollTo(900);
      expect(place).toBe(900);
      await sitePage.untilAtRest();
      const before = await sitePage.evaluate(() => scrollY);
      const title = await sitePage.evaluate(() => document.title);
      await sitePage.evaluate(() => {
        document.querySelector<HTMLAnchorElement>('footer a[href="/about"]')?.click();
        return null;
      });
      await sitePage.untilAt(/^\/about$/);
      await sitePage.untilFocused('h1');
      await sitePage.until('the page starts at its top', () => scrollY === 0);
      await sitePage.goBack();
      await sitePage.until('the page is shown again', (was) => document.title === was, title);
      await sitePage.until('the reader is where he was', (was) => scrollY === was, before);
      await sitePage.untilAtRest();
      expect(await sitePage.evaluate(() => scrollY)).toBe(before);
    });
  }

test('the search box leads to results, whose pages turn to the top', async ({ sitePage }) => {
  await sitePage.open('/about', WIDE);
  await sitePage.fill('input[type="search"]', 'the');
  await sitePage.press('Enter');
  await sitePage.untilVisible('h1', /^Search Result : the$/);
  await sitePage.click('nav[aria-label="Pagination"] a', /^Page 2$|^2$/);
  await sitePage.untilAt(/^\/search\/all\/the\?page=2$/);
  await sitePage.untilVisible('nav[aria-label="Pagination"] a[aria-current="page"]', /2$/);
  await sitePage.until('the page is at its top', () => scrollY === 0);
});

test('on a phone the search box is behind its button', async ({ sitePage }) => {
  await sitePage.open('/about', NARROW);
  await sitePage.click('header button, header summary', /Search/);
  await sitePage.fill('input[type="search"]', 'consent');
  await sitePage.press('Enter');
  await sitePage.untilVisible('h1', /^Search Result : consent$/);
});

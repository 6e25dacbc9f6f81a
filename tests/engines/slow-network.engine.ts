import { test as base, expect } from './fixtures.ts';
import { controlRequests, type RequestControl } from './request-control.ts';
import { type SitePage, WIDE } from './site-page.ts';

// The browser's memory of a page must not stand in for a request: no test asks for what another has read.
const test = base.extend<{ requests: RequestControl }>({
  requests: async ({ site }, use) => {
    const requests = controlRequests(site.servers.readers);
    await use(requests);
    requests.end();
  },
});

/** What a browser says of a request that fails. */
const FAILED =
  /refused|reset|empty response|Failed to load|Failed to fetch|NetworkError|Load failed|could not be|TypeError|error loading|JSHandle@error/i;
const ARTICLES = /^\/api\/articles\//;

/** Notes on the document element how long after the next click the line and the skeleton come, in milliseconds. */
const noteDelays = (sitePage: SitePage) =>
  sitePage.evaluate(() => {
    const { dataset } = document.documentElement;
    let clicked = 0;
    const after = () => String(performance.now() - clicked);
    const note = () => {
      if (document.querySelector('.navigation-skeleton')) dataset['skeleton'] ??= after();
    };
    addEventListener('click', () => (clicked = performance.now()), { capture: true, once: true });
    addEventListener('animationstart', ({ target }) => {
      if (target instanceof Element && target.matches('.navigation-progress')) dataset['line'] ??= after();
    });
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true });
    return null;
  });

test('a slow article shows a line, then its skeleton with the footer out of view, and leaves the place of the old page', async ({
  sitePage,
  requests,
}) => {
  await sitePage.open('/topic/news', WIDE);
  await sitePage.scrollTo(900);
  await sitePage.untilAtRest();
  const release = requests.hold(ARTICLES);
  await noteDelays(sitePage);
  const before = await sitePage.evaluate(() => {
    const link = [...document.querySelectorAll<HTMLAnchorElement>('main h2 a, main h3 a')].find(
      (one) => one.getBoundingClientRect().top > 100,
    );
    link?.click();
    return scrollY;
  });
  await sitePage.untilVisible('.navigation-skeleton');
  expect(await sitePage.evaluate(() => document.querySelector('h1')?.textContent ?? '')).toBe('News');
  await sitePage.until('the skeleton reaches from the header to the end of the window', () => {
    const { top = 1, bottom = 0 } =
      document.querySelector('.navigation-skeleton')?.getBoundingClientRect() ?? {};
    const header = document.querySelector('.header')?.getBoundingClientRect().bottom ?? 0;
    return Math.abs(top - header) <= 1 && bottom >= innerHeight;
  });
  const { line, skeleton } = await sitePage.evaluate(() => {
    const { dataset } = document.documentElement;
    return { line: Number(dataset['line']), skeleton: Number(dataset['skeleton']) };
  });
  // Clocks of pages are rounded.
  expect(line).toBeGreaterThanOrEqual(148);
  expect(skeleton).toBeGreaterThanOrEqual(398);
  release();
  await sitePage.untilFocused('h1');
  await sitePage.untilHidden('.navigation-skeleton, .navigation-progress');
  await sitePage.until('the article starts at its top', () => scrollY === 0);
  await sitePage.goBack();
  await sitePage.untilAt(/^\/topic\/news$/);
  await sitePage.until('the reader is where he was', (was) => scrollY === was, before);
});

test('a second click supersedes the first, whose request is cancelled', async ({ sitePage, requests }) => {
  await sitePage.open('/topic/podcasts', WIDE);
  const release = requests.hold(ARTICLES);
  await sitePage.click('main h2 a, main h3 a');
  await expect.poll(() => requests.paths.filter((path) => ARTICLES.test(path))).not.toEqual([]);
  await sitePage.evaluate(() => {
    document.querySelector<HTMLAnchorElement>('footer a[href="/about"]')?.click();
    return null;
  });
  // Before the ten seconds after which any request is given up.
  await expect
    .poll(() => requests.cancelled.filter((path) => ARTICLES.test(path)), { timeout: 8_000 })
    .not.toEqual([]);
  release();
  await sitePage.untilAt(/^\/about$/);
  await sitePage.untilFocused('h1');
});

test('ten seconds without a response are a message with Try again, which loads the page', async ({
  sitePage,
  requests,
}) => {
  await sitePage.open('/about', WIDE);
  const release = requests.hold(/^\/api\/topics\/interview/);
  await sitePage.evaluate(() => {
    const link = document.createElement('a');
    link.href = '/topic/interview';
    link.textContent = 'Interviews';
    document.querySelector('main h1')?.after(link);
    return null;
  });
  await sitePage.click('main a', /^Interviews$/);
  await sitePage.untilVisible('h1', /^This page could not be loaded$/);
  release();
  await sitePage.click('main a', /^Try again$/);
  await sitePage.untilAt(/^\/topic\/interview$/);
  await sitePage.untilVisible('h1', /^Interview/);
});

test('without a network a page that cannot be loaded is told in the document, and Try again loads it later', async ({
  sitePage,
  requests,
  expectedMessages,
}) => {
  expectedMessages.push(FAILED);
  await sitePage.open('/about', WIDE);
  await sitePage.evaluate(() => {
    document.body.dataset['seen'] = '';
    return null;
  });
  const allow = requests.refuse(/./);
  // Its code may be cached: then its data is what is missing.
  const asks = () => requests.paths.filter((path) => path.includes('sitemap')).length;
  await sitePage.click('footer a[href="/sitemap"]');
  await sitePage.untilVisible('h1', /^This page could not be loaded$/);
  const before = asks();
  await sitePage.click('main a', /^Try again$/);
  await expect.poll(asks).toBeGreaterThan(before);
  await sitePage.until('it is the same document', () => 'seen' in document.body.dataset);
  allow();
  // The try before is let through if it is still on its way: then the link is gone.
  await sitePage.evaluate(() => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('main a'))
      if (link.textContent === 'Try again') link.click();
    return null;
  });
  await sitePage.untilVisible('h1', /^Sitemap$/);
  // Firefox reports scripts that a document was loading when it was left: in the next test.
  await sitePage.until('the page is hydrated', () => 'hydrated' in document.documentElement.dataset);
});

// Only Chromium has `navigator.connection`: that nothing is prefetched with Save-Data is a test of the component.
test('a link on which the mouse rests is prefetched, and the click uses that response', async ({
  sitePage,
  requests,
}) => {
  await sitePage.open('/topic/guest-author', WIDE);
  const link = 'main h2 a, main h3 a';
  await sitePage.hover(link);
  const fetched = () => requests.paths.filter((path) => ARTICLES.test(path));
  await expect.poll(fetched).toHaveLength(1);
  await sitePage.untilAt(/^\/topic\/guest-author$/);
  await sitePage.click(link);
  await sitePage.untilFocused('h1');
  expect(fetched()).toHaveLength(1);
});

test('before hydration a button keeps its place and its click, and hydration keeps focus and text', async ({
  sitePage,
  requests,
}) => {
  const release = requests.hold(/^\/assets\/(?!load-scripts).*\.js$/);
  await sitePage.open('/', WIDE, false);
  const pause = 'section[aria-roledescription="carousel"] button';
  await sitePage.click(pause, /^(Pause|Play)/);
  await sitePage.fill('header input[type="search"]', 'consent');
  await sitePage.untilAt(/^\/$/);
  release();
  await sitePage.until('the page is hydrated', () => 'hydrated' in document.documentElement.dataset);
  await sitePage.untilFocused('header input[type="search"]');
  await sitePage.until(
    'the text is there',
    () => document.querySelector<HTMLInputElement>('header input[type="search"]')?.value === 'consent',
  );
  await sitePage.untilVisible(pause, /^Play/);
  await sitePage.untilAt(/^\/$/);
});

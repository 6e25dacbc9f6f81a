import { expect, test } from './fixtures.ts';
import { WIDE } from './site-page.ts';

const ANCHORS = '/privacy-policy';

test('Back and Forward lead through the places of a page, also of one that was opened directly', async ({
  sitePage,
}) => {
  await sitePage.open(ANCHORS, WIDE);
  await sitePage.evaluate(() => {
    const target = document.querySelectorAll('main h2')[3];
    target?.setAttribute('id', 'a-place');
    const link = document.createElement('a');
    link.href = '#a-place';
    link.textContent = 'To the place';
    document.querySelector('main h1')?.after(link);
    return null;
  });
  await sitePage.click('a[href="#a-place"]');
  await sitePage.untilAt(/#?$/);
  await sitePage.untilFocused('#a-place');
  const place = await sitePage.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(200);
  await sitePage.goBack();
  await sitePage.until('the page is at its top', () => scrollY === 0 && location.hash === '');
  await sitePage.until('the link that was followed has the focus', () =>
    Boolean(document.activeElement?.matches('a[href="#a-place"]')),
  );
  await sitePage.goForward();
  await sitePage.until('the page is at the place again', (was) => Math.abs(scrollY - was) <= 1, place);
});

test('Back focuses the link that was followed, Forward the heading', async ({ sitePage }) => {
  await sitePage.open('/topic/news', WIDE);
  const followed = await sitePage.evaluate(() => {
    const link = document.querySelectorAll<HTMLAnchorElement>('main h2 a, main h3 a')[2];
    link?.focus();
    link?.click();
    return link?.getAttribute('href') ?? '';
  });
  await sitePage.untilFocused('h1');
  await sitePage.untilAt(/^\/[a-z-]+\/[a-z0-9-]+$/);
  await sitePage.goBack();
  await sitePage.untilAt(/^\/topic\/news$/);
  await sitePage.until(
    'the link has the focus',
    (href) => document.activeElement?.getAttribute('href') === href,
    followed,
  );
  await sitePage.goForward();
  await sitePage.untilAt(/^\/[a-z-]+\/[a-z0-9-]+$/);
  await sitePage.untilFocused('h1');
});

test('Back shows as many events as were shown', async ({ sitePage }) => {
  await sitePage.open('/events', WIDE);
  const shown = () => document.querySelectorAll('.event-card:not(.is-hidden)').length;
  const before = await sitePage.evaluate(shown);
  await sitePage.click('.events-more button');
  await sitePage.until(
    'more are shown',
    (count) => document.querySelectorAll('.event-card:not(.is-hidden)').length > count,
    before,
  );
  const longer = await sitePage.evaluate(shown);
  await sitePage.evaluate(() => {
    document.querySelector<HTMLAnchorElement>('footer a[href="/about"]')?.click();
    return null;
  });
  await sitePage.untilAt(/^\/about$/);
  await sitePage.untilFocused('h1');
  await sitePage.goBack();
  await sitePage.untilAt(/^\/events$/);
  await sitePage.until(
    'as many are shown',
    (count) => document.querySelectorAll('.event-card:not(.is-hidden)').length === count,
    longer,
  );
});

test('what was typed into a form is there after a navigation and a reload', async ({ sitePage }) => {
  await sitePage.open('/contact-us', WIDE);
  await sitePage.fill('#firstName', 'Ada');
  await sitePage.evaluate(() => {
    document.querySelector<HTMLAnchorElement>('footer a[href="/about"]')?.click();
    return null;
  });
  await sitePage.untilAt(/^\/about$/);
  await sitePage.open('/contact-us', WIDE);
  await sitePage.until('the name is there', () => {
    const field = document.querySelector('#firstName');
    return field instanceof HTMLInputElement && field.value === 'Ada';
  });
  await sitePage.evaluate(() => {
    sessionStorage.clear();
    return null;
  });
});

for (const hasBackForwardCache of [false, true])
  test.describe(`Firefox ${hasBackForwardCache ? 'with' : 'without'} its back-forward cache, and the other engines`, () => {
    test.use({ hasBackForwardCache });

    test('a document that was left or is loaded again is where the reader was', async ({ sitePage }) => {
      await sitePage.open('/topic/news', WIDE);
      await sitePage.scrollTo(900);
      await sitePage.untilAtRest();
      await sitePage.leave(() => {
        document.documentElement.dataset['kept'] = '';
        location.reload();
      });
      await sitePage.until(
        'the document is hydrated again',
        () => !('kept' in document.documentElement.dataset) && 'hydrated' in document.documentElement.dataset,
      );
      await sitePage.untilAtRest();
      expect(await sitePage.evaluate(() => scrollY)).toBe(900);
      await sitePage.evaluate(() => {
        // Not a link to a page, which would be prefetched: WebKit reports a request that is under way when its document is left.
        document.querySelector<HTMLAnchorElement>('.skip-link')?.focus({ preventScroll: true });
        document.documentElement.dataset['kept'] = '';
        return null;
      });
      await sitePage.leave(() => {
        location.href = '/opt-out-form';
      });
      await sitePage.until(
        'the other document is hydrated',
        () => location.pathname === '/opt-out-form' && 'hydrated' in document.documentElement.dataset,
      );
      await sitePage.untilAtRest();
      expect(await sitePage.evaluate(() => scrollY)).toBe(0);
      await sitePage.goBack();
      await sitePage.until(
        'the first document is hydrated again',
        () => location.pathname === '/topic/news' && 'hydrated' in document.documentElement.dataset,
      );
      await sitePage.untilAtRest();
      expect(await sitePage.evaluate(() => scrollY)).toBe(900);
      // A document that is loaded again has no focus, in any engine.
      const { isKept, focused } = await sitePage.evaluate(() => ({
        isKept: 'kept' in document.documentElement.dataset,
        focused: !!document.activeElement?.matches('.skip-link'),
      }));
      if (isKept) expect(focused).toBe(true);
    });
  });

test('Back leads from a document that was loaded to the places of the one before it', async ({
  sitePage,
}) => {
  await sitePage.open('/topic/news', WIDE);
  await sitePage.scrollTo(900);
  await sitePage.untilAtRest();
  await sitePage.evaluate(() => {
    document.querySelector<HTMLAnchorElement>('footer a[href="/about"]')?.click();
    return null;
  });
  await sitePage.untilAt(/^\/about$/);
  await sitePage.untilFocused('h1');
  await sitePage.leave(() => {
    location.href = '/privacy-policy';
  });
  const untilLoaded = (path: string) =>
    sitePage.until(
      `${path} is hydrated`,
      (at) => location.pathname === at && 'hydrated' in document.documentElement.dataset,
      path,
    );
  await untilLoaded('/privacy-policy');
  await sitePage.scrollTo(300);
  await sitePage.goBack();
  await untilLoaded('/about');
  await sitePage.goBack();
  await sitePage.untilAt(/^\/topic\/news$/);
  await sitePage.untilAtRest();
  expect(await sitePage.evaluate(() => scrollY)).toBe(900);
});

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

import { findPost, isLong } from '../e2e/find-post.ts';
import { inTurn } from '../matrix.ts';
import { expect, test } from './fixtures.ts';
import { NARROW, WIDE } from './site-page.ts';

test('tabs change by click and by arrow key', async ({ sitePage }) => {
  await sitePage.open('/', WIDE);
  const isSelected = (name: string) =>
    sitePage.untilVisible('[role="tab"][aria-selected="true"]', new RegExp(`^${name}$`));
  await sitePage.click('[role="tab"]', /^Popular$/);
  await isSelected('Popular');
  await sitePage.press('ArrowRight');
  await isSelected('Latest');
  await sitePage.until(
    'one panel is visible',
    () =>
      [...document.querySelectorAll('[role="tabpanel"]')].filter((panel) => panel.checkVisibility())
        .length === 1,
  );
});

test('the carousel moves until Pause is pressed, and is stepped on', async ({ sitePage }) => {
  await sitePage.open('/', WIDE);
  const carousel = 'section[aria-roledescription="carousel"]';
  await sitePage.click(`${carousel} button`, /^Pause/);
  await sitePage.untilVisible(`${carousel} button`, /^Play/);
  const left = () => sitePage.evaluate(() => document.querySelector('.carousel-track')?.scrollLeft ?? 0);
  // A step that autoplay has begun comes to rest first: a smooth scroll takes less than a second.
  let before = -1;
  const isAtRest = async () => {
    const earlier = before;
    before = await left();
    return before === earlier;
  };
  await expect.poll(isAtRest, { intervals: [1_100], timeout: 30_000 }).toBe(true);
  await sitePage.click(`${carousel} button`, /^Next slide$/);
  await expect.poll(left).not.toBe(before);
});

test('the rotating advertisement is paused', async ({ sitePage }) => {
  await sitePage.open('/', WIDE);
  await sitePage.click('[data-slot="Home-2"] button', /^Pause/);
  await sitePage.untilVisible('[data-slot="Home-2"] button', /^Play/);
});

for (const size of inTurn([NARROW, WIDE], 0))
  test(`the names of the networks are whole and in the window, ${size.width} pixels wide`, async ({
    sitePage,
    site,
  }) => {
    await sitePage.open(await findPost(site.demoCms, 'news', () => true), size);
    await sitePage.click('button[aria-controls="share-networks"]');
    await sitePage.untilVisible('#share-networks a', /Facebook/);
    const names = await sitePage.evaluate(() =>
      [...document.querySelectorAll('#share-networks a > [aria-hidden]:last-child')].map((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        const { left, right } = name.getBoundingClientRect();
        const isInWindow = left >= 0 && right <= document.documentElement.clientWidth;
        return `${name.textContent}: ${range.getClientRects().length} ${isInWindow ? 'inside' : 'outside'}`;
      }),
    );
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !name.endsWith(': 1 inside'))).toEqual([]);
  });

for (const size of inTurn([NARROW, WIDE], 1))
  test(`the table of contents appears, opens and leads to a heading, ${size.width} pixels wide`, async ({
    sitePage,
    site,
  }) => {
    await sitePage.open(await findPost(site.demoCms, 'featured', isLong), size);
    await sitePage.untilHidden('button', /^Table of Contents$/);
    await sitePage.scrollTo(1_500);
    await sitePage.click('button[aria-controls]', /^Table of Contents$/);
    await sitePage.untilVisible('button[aria-expanded="true"]', /^Table of Contents$/);
    const target = await sitePage.evaluate(
      () => [...document.querySelectorAll('.contents-entries a')].at(-2)?.getAttribute('href') ?? '',
    );
    await sitePage.click(`.contents-entries a[href="${target}"]`);
    await sitePage.untilFocused(`[id="${target.slice(1)}"]`);
    await sitePage.untilHidden('button[aria-expanded="true"]', /^Table of Contents$/);
    const distance = () =>
      sitePage.evaluate(
        (id) => Math.abs((document.getElementById(id)?.getBoundingClientRect().top ?? 0) - 125),
        target.slice(1),
      );
    await expect.poll(distance).toBeLessThan(1);
  });

for (const size of [WIDE, NARROW])
  test(`the Category menu of a tag page ${size.width} wide leads to a section below the header`, async ({
    sitePage,
  }) => {
    await sitePage.open('/tag/customer-data', size);
    await sitePage.untilAtRest();
    await sitePage.click('button', /^Category$/);
    await sitePage.click('#category-links a', /^Podcast$/);
    await sitePage.until('the section is 68 to 90 pixels from the top', () => {
      const top = document.getElementById('podcast')?.getBoundingClientRect().top ?? 0;
      return top >= 68 && top <= 90;
    });
  });

test('the filters behind More open, close by Escape, and lead on', async ({ sitePage }) => {
  await sitePage.open('/topic/news', WIDE);
  const strip = 'nav[aria-label="Sub-categories"]';
  await sitePage.click(`${strip} button`, /More/);
  await sitePage.untilVisible(`${strip} li:nth-child(1n + 9) a, ${strip} button[aria-expanded="true"]`);
  await sitePage.press('Escape');
  await sitePage.untilHidden(`${strip} button[aria-expanded="true"]`);
  await sitePage.click(`${strip} a`);
  await sitePage.untilAt(/^\/topic\/news\/[a-z-]+$/);
  await sitePage.untilVisible(`${strip} a[aria-current="page"]`);
});

test('Show More shows further events, and tabs change by link', async ({ sitePage }) => {
  await sitePage.open('/events', NARROW);
  const cards = () => sitePage.count('.event-card');
  await expect.poll(cards).toBe(9);
  await sitePage.click('main a, main button', /^Show More$/);
  await expect.poll(cards).toBeGreaterThan(9);
  await sitePage.click('main a', /^Past Events$/);
  await sitePage.untilAt(/^\/events\?tab=past$/);
  await sitePage.untilVisible('a[aria-current="page"]', /^Past Events$/);
});

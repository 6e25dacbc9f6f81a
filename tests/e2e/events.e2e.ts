import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

interface Listed {
  slug: string;
  title: string;
}

const cards = (page: Page) => page.locator('.event-card:visible');
const showMore = (page: Page) => page.getByRole('button', { name: 'Show More' });

async function loaded(origin: string, query = ''): Promise<{ events: Listed[]; totalPages: number }> {
  const response = await fetch(`${origin}/api/events${query}`);
  const { events, pagination }: { events: Listed[]; pagination: { totalPages: number } } =
    await response.json();
  return { events, totalPages: pagination.totalPages };
}

test.describe('the event list', () => {
  test('shows nine, reveals what is loaded, then asks for the next page, and each event is there once', async ({
    page,
    site,
  }) => {
    const first = await loaded(site.origin);
    const second = await loaded(site.origin, '?page=2');
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/events') calls.push(search);
    });
    await page.goto('/events');
    await expect(cards(page)).toHaveCount(9);
    await showMore(page).click();
    await expect(cards(page)).toHaveCount(first.events.length);
    await expect(cards(page).nth(9).getByRole('link')).toBeFocused();
    expect(calls).toEqual([]);
    await showMore(page).click();
    const expected = Math.min(first.events.length + 9, first.events.length + second.events.length);
    await expect(cards(page)).toHaveCount(expected);
    expect(calls).toEqual(['?tab=all&page=2']);
    const titles = await cards(page).locator('h2').allTextContents();
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('reads Loading... while it waits, and stays as it is when that fails', async ({
    page,
    expectedNoise,
  }) => {
    expectedNoise.push(/next events could not be loaded/, /500/);
    await page.goto('/events');
    await showMore(page).click();
    const before = await cards(page).count();
    let response = () => {};
    const held = new Promise<void>((resolve) => {
      response = resolve;
    });
    await page.route('**/api/events?*', async (route) => {
      await held;
      await route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' });
    });
    await showMore(page).click();
    await expect(page.getByRole('button', { name: 'Loading...' })).toBeVisible();
    response();
    await expect(showMore(page)).toBeVisible();
    await expect(cards(page)).toHaveCount(before);
  });

  test('changes tabs by link, keeps the tab in the address, and starts each from its first nine', async ({
    page,
    site,
  }) => {
    await page.goto('/events');
    await showMore(page).click();
    await page.getByRole('link', { name: 'Past Events' }).click();
    await expect(page).toHaveURL(/\/events\?tab=past$/);
    await expect(page.getByRole('link', { name: 'Past Events' })).toHaveAttribute('aria-current', 'page');
    const past = await loaded(site.origin, '?tab=past');
    await expect(cards(page)).toHaveCount(Math.min(9, past.events.length));
    await expect(cards(page).first().locator('h2')).toHaveText(past.events[0]?.title ?? '');
    await page.goBack();
    await expect(page.getByRole('link', { name: 'All Events' })).toHaveAttribute('aria-current', 'page');
    await expect(cards(page)).toHaveCount(9);
  });

  test('starts again with another tab: its own first page, its further pages, each event once, until a page is empty', async ({
    page,
    expectedNoise,
  }) => {
    // A made-up event may be prefetched where the mouse happens to be on its link.
    expectedNoise.push(/404/);
    const event = (number: number) => ({
      id: String(number),
      slug: `event-${number}`,
      title: `Event ${number}`,
      banner: null,
      location: 'Lisbon',
      date: '2026-03-04T10:00:00.000Z',
      description: 'What it is about.',
    });
    const events = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => event(from + index));
    const pages: Record<string, ReturnType<typeof events>> = { 1: events(1, 10), 2: events(9, 21), 3: [] };
    const calls: string[] = [];
    await page.route('**/api/events?*', (route) => {
      const { search, searchParams } = new URL(route.request().url());
      calls.push(search);
      const number = Number(searchParams.get('page'));
      const pagination = { page: number, totalPages: 9 };
      return route.fulfill({ json: { tab: 'past', events: pages[number], pagination } });
    });
    await page.goto('/events');
    await showMore(page).click();
    await page.getByRole('link', { name: 'Past Events' }).click();
    await expect(cards(page)).toHaveCount(9);
    await expect(cards(page).first().locator('h2')).toHaveText('Event 1');
    for (const [shown, pagesAsked] of [
      [10, 1],
      [19, 2],
      [21, 2],
    ] as const) {
      await showMore(page).click();
      await expect(cards(page)).toHaveCount(shown);
      expect(calls).toEqual([1, 2].slice(0, pagesAsked).map((number) => `?tab=past&page=${number}`));
    }
    await showMore(page).click();
    // Under either name: while it loads, the button has the other one.
    await expect(page.getByRole('button', { name: /^(Show More|Loading)/ })).toHaveCount(0);
    expect(calls.at(-1)).toBe('?tab=past&page=3');
    expect(await cards(page).locator('h2').allTextContents()).toEqual(
      events(1, 21).map(({ title }) => title),
    );
  });

  test('has cards with banner, title, place, short date and a cut description, that lead to the event', async ({
    page,
  }) => {
    await page.goto('/events');
    const card = cards(page).first();
    await expect(card.locator('img')).toBeVisible();
    await expect(card.locator('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    const description = (await card.locator('.event-card-description').textContent()) ?? '';
    expect(description).toMatch(/\.\.\.$/);
    expect(description.length).toBeLessThanOrEqual(103);
    const title = (await card.locator('h2').textContent()) ?? '';
    await card.click();
    await expect(page.locator('h1')).toHaveText(title);
    await expect(page).toHaveURL(/\/events\/[\w-]+$/);
  });

  test('has three columns, keeps 700px for a tab, and scrolls nowhere sideways on a phone', async ({
    page,
  }) => {
    await page.goto('/events');
    const tops = await cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().top));
    expect(new Set(tops.slice(0, 3)).size).toBe(1);
    expect(tops[3]).toBeGreaterThan(tops[0] ?? 0);
    expect(await page.locator('.events-area').evaluate((area) => getComputedStyle(area).minHeight)).toBe(
      '700px',
    );
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test.describe('an event', () => {
  test('opens a window of 600 by 400 for Instagram, and has Latest and Popular beside it', async ({
    page,
    site,
  }) => {
    const { events } = await loaded(site.origin);
    await page.addInitScript(() => {
      const opened: string[] = [];
      Object.assign(window, { opened });
      window.open = (_url, _name, features) => {
        opened.push(String(features));
        return Object.assign(Object.create(null), { closed: true });
      };
    });
    await page.goto(`/events/${events[0]?.slug}`);
    await page.getByRole('link', { name: 'Share on Instagram' }).click();
    const opened = await page.evaluate(() => Reflect.get(window, 'opened') as string[]);
    expect(opened[0]).toMatch(/width=600,height=400/);
    await expect(page.getByRole('tab', { name: 'Latest' })).toHaveAttribute('aria-selected', 'true');
    await expect(page.locator('.event-head time')).toHaveText(/^[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4}$/);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test.describe('events without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('shows all events of a server page; tabs and Show More lead to further ones', async ({
    page,
    site,
  }) => {
    const first = await loaded(site.origin);
    const second = await loaded(site.origin, '?page=2');
    await page.goto('/events');
    await expect(cards(page)).toHaveCount(first.events.length);
    await showMore(page).click();
    await expect(page).toHaveURL(/\/events\?page=2$/);
    await expect(cards(page).first().locator('h2')).toHaveText(second.events[0]?.title ?? '');
    await page.getByRole('link', { name: 'Upcoming Events' }).click();
    await expect(page).toHaveURL(/tab=upcoming$/);
    await page.locator('.event-card h2 a').first().click();
    await expect(page.locator('.rich-text')).not.toBeEmpty();
  });
});

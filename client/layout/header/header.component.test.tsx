import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { homeData, MENUS, posts, searchData, topicData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { scrollTo } from '../../../tests/component/scroll-to.ts';
import { stubApi } from '../../../tests/component/stub-api.ts';
import { oneInThree } from '../../../tests/matrix.ts';

const banner = page.getByRole('banner');
const button = (name: string) => banner.getByRole('button', { name });
const wordmark = banner.getByRole('link', { name: 'Martech Meridian' });
const seeMore = banner.getByRole('link', { name: 'See More of News' });
const openMenus = () =>
  [...document.querySelectorAll('.menus-button[aria-expanded="true"]')].map(({ textContent }) => textContent);

/** Renders a page in a window of a size. */
async function renderHeader(width = 1280, height = 900, path = '/about') {
  await page.viewport(width, height);
  return renderPage(path);
}

const CONDENSED = 56;

/** Returns where the visible header ends, in CSS pixels from the top of the window. */
const headerEnd = () => banner.element().getBoundingClientRect().bottom;

/** Returns the header's visible links, buttons and fields that leave the window or cover one another. */
function controlFaults(): string[] {
  const controls = [...document.querySelectorAll<HTMLElement>('header a, header button, header input')]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control) => ({
      name: control.getAttribute('aria-label') ?? control.innerText,
      rect: control.getBoundingClientRect(),
    }))
    .filter(({ rect }) => rect.bottom > 0);
  return controls.flatMap(({ name, rect }, index) => {
    const outside = rect.left < 0 || rect.right > window.innerWidth ? [`${name} leaves the window`] : [];
    const covered = controls
      .slice(index + 1)
      .filter(
        ({ rect: other }) =>
          rect.left < other.right - 1 &&
          other.left < rect.right - 1 &&
          rect.top < other.bottom - 1 &&
          other.top < rect.bottom - 1,
      );
    return [...outside, ...covered.map((other) => `${name} covers ${other.name}`)];
  });
}

beforeEach(() => {
  stubApi({
    'GET /api/navigation': () => Response.json(MENUS),
    'GET /api/home': () => Response.json(homeData()),
    'GET /api/topics/news': () => Response.json(topicData({ posts: posts(40) })),
    'GET /api/search/all/consent': () => Response.json(searchData()),
  });
});

// A page of each header: the masthead of the home page, the slim bar of the others.
/** From one control's width to the next there are several of these. */
const WIDTHS = Array.from({ length: 61 }, (_, nth) => 320 + 16 * nth);

describe.each([
  { path: '/', height: 180, widths: oneInThree(WIDTHS) },
  { path: '/topic/news', height: 64, widths: oneInThree(WIDTHS, 1) },
])('the header of $path', ({ path, height, widths }) => {
  test(`is ${height} px high and condenses to a bar of 56 px with wordmark, menus, search and Subscribe`, async () => {
    await renderHeader(1280, 900, path);
    await document.fonts.ready;
    expect(headerEnd()).toBe(height);
    if (path === '/') await expect.element(wordmark).not.toBeInTheDocument();
    else await expect.element(wordmark).toBeVisible();
    await scrollTo(900);
    expect(headerEnd()).toBe(CONDENSED);
    for (const control of [
      wordmark,
      button('Latest'),
      banner.getByRole('link', { name: 'Contact Us' }),
      page.getByRole('searchbox'),
      banner.getByRole('link', { name: 'Subscribe' }),
    ]) {
      await expect.element(control).toBeInViewport({ ratio: 1 });
      expect(control.element().getBoundingClientRect().bottom).toBeLessThan(CONDENSED);
    }
  });

  test('keeps its controls apart and in the window at every width', async () => {
    await renderHeader(1280, 900, path);
    for (const width of widths) {
      await page.viewport(width, 800);
      for (const top of [900, 0]) {
        await scrollTo(top);
        expect(window.scrollY).toBe(top);
        expect.soft(controlFaults(), `${width} px wide, at ${top}`).toEqual([]);
      }
    }
  });

  test('is one bar on a phone, with Subscribe', async () => {
    await renderHeader(390, 844, path);
    for (const top of [900, 0]) {
      await scrollTo(top);
      expect(headerEnd()).toBe(CONDENSED);
      for (const control of [
        wordmark,
        button('Search'),
        banner.getByRole('link', { name: 'Subscribe' }),
        button('Menu'),
      ])
        await expect.element(control).toBeInViewport({ ratio: 1 });
    }
  });
});

describe.each(['/', '/about'])('the name of the site at %s', (path) => {
  test.each([320, 360, 390])('ends before what is beside it, %i pixels wide', async (width) => {
    await renderHeader(width, 900, path);
    const names = [...document.querySelectorAll('.wordmark-name')].filter((name) => name.checkVisibility());
    const isCut = (name: Element) => name.scrollWidth > name.clientWidth;
    expect(names.filter(isCut)).toEqual([]);
    for (const name of names) name.textContent = 'The International Review of Marketing';
    expect(controlFaults()).toEqual([]);
    expect(names.map((name) => name.getBoundingClientRect().right > window.innerWidth)).not.toContain(true);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  });

  test.each([768, 800, 1024])('takes no room of the menus and the tools, %i pixels wide', async (width) => {
    await renderHeader(width, 900, path);
    const tools = document.querySelector('.header-tools')?.getBoundingClientRect();
    for (const name of document.querySelectorAll('.wordmark-name'))
      name.textContent = 'The International Review of Marketing';
    expect(document.querySelector('.header-tools')?.getBoundingClientRect().left).toBeCloseTo(
      tools?.left ?? 0,
      -1,
    );
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  });
});

describe('the menus', () => {
  test('opens one menu at a time; the same button, Escape and a click outside close it', async () => {
    await renderHeader();
    await button('Latest').click();
    await expect.element(seeMore).toBeVisible();
    await button('Features').click();
    await expect.poll(openMenus).toEqual(['Features']);
    await button('Features').click();
    await expect.poll(openMenus).toEqual([]);
    await button('Latest').click();
    await expect.poll(openMenus).toEqual(['Latest']);
    await userEvent.keyboard('{Escape}');
    await expect.poll(openMenus).toEqual([]);
    await expect.element(button('Latest')).toHaveFocus();
    await button('Latest').click();
    await expect.poll(openMenus).toEqual(['Latest']);
    await userEvent.click(document.documentElement, { position: { x: 640, y: 880 }, force: true });
    await expect.poll(openMenus).toEqual([]);
  });

  test('are controlled by their buttons, whatever the publisher calls them', async () => {
    const [menu] = MENUS.menus;
    stubApi({
      'GET /api/navigation': () => Response.json({ menus: [{ ...menu, name: 'The "Lab"\\\t' }] }),
    });
    await renderHeader();
    const lab = banner.getByRole('button', { name: /Lab/ });
    await lab.click();
    await expect.element(seeMore).toBeVisible();
    await expect.element(lab).toHaveAttribute('aria-expanded', 'true');
  });

  test('has three items in a menu’s column from 768px on, and one below', async () => {
    await renderHeader();
    for (const [width, count] of [
      [768, 3],
      [767, 1],
    ] as const) {
      await page.viewport(width, 900);
      if (width < 768) await button('Menu').click();
      await button('Latest').click();
      for (const column of ['News', 'Quick Bytes'])
        await expect
          .poll(() => banner.getByRole('region', { name: column }).getByRole('listitem').elements())
          .toHaveLength(count);
      await userEvent.keyboard('{Escape}');
      await expect.element(seeMore).not.toBeInTheDocument();
    }
  });

  test('says in red that a menu’s data could not be fetched', async () => {
    await renderHeader();
    await button('Leadership').click();
    const failure = banner.getByText('Error: Error fetching data');
    await expect.element(failure).toBeVisible();
    const { color } = getComputedStyle(failure.element());
    const [red = 0, green = 255, blue = 255] = color.match(/\d+/g)?.map(Number) ?? [];
    expect(red).toBeGreaterThan(3 * Math.max(green, blue));
  });

  test('on a phone the menus are behind a Menu button, in line with it, and nothing scrolls sideways', async () => {
    await renderHeader(360, 740);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
    await button('Menu').click();
    await button('Latest').click();
    await expect.element(seeMore).toBeVisible();
    const column = banner.getByRole('region', { name: 'News' }).element();
    expect(column.getBoundingClientRect().left).toBe(button('Latest').element().getBoundingClientRect().left);
  });

  test('on a phone are an accordion that leaves the other menus in reach', async () => {
    const router = await renderHeader(390, 844);
    await button('Menu').click();
    await expect.element(button('Menu')).toHaveAttribute('aria-expanded', 'true');
    expect(document.getElementById('menus')?.getBoundingClientRect().height).toBe(844 - 56);
    for (const [name, column] of [
      ['Latest', 'News'],
      ['Leadership', 'Podcasts'],
      ['Features', 'Articles'],
      ['Latest', 'News'],
    ] as const) {
      await button(name).click();
      await expect.poll(openMenus).toEqual([name]);
      await expect
        .element(banner.getByRole('link', { name: `See More of ${column}` }))
        .toBeInViewport({ ratio: 1 });
    }
    await button('Latest').click();
    await expect.poll(openMenus).toEqual([]);
    await banner.getByRole('link', { name: 'Contact Us' }).click();
    await expect.poll(() => router.state.location.pathname).toBe('/contact-us');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
    await expect.element(button('Latest')).not.toBeInTheDocument();
    await expect.element(button('Menu')).toHaveAttribute('aria-expanded', 'false');
  });

  test('open right below the header, wherever the page is scrolled to', async () => {
    await renderHeader(1280, 900, '/');
    for (const top of [900, 60, 0]) {
      await scrollTo(top);
      await button('Latest').click();
      await expect.element(seeMore).toBeVisible();
      expect(document.getElementById('menu-Latest')?.getBoundingClientRect().top).toBe(headerEnd());
      await userEvent.keyboard('{Escape}');
      await expect.element(seeMore).not.toBeInTheDocument();
    }
  });

  test('on a low window have the whole sheet below the row of the open menu', async () => {
    await renderHeader(320, 400);
    await button('Menu').click();
    await button('Features').click();
    await expect.element(button('Features')).toBeInViewport({ ratio: 1 });
    await expect.element(button('Latest')).not.toBeInTheDocument();
    expect(document.getElementById('menu-Features')?.getBoundingClientRect().height).toBeGreaterThan(250);
    await button('Features').click();
    await expect.element(button('Latest')).toBeInViewport({ ratio: 1 });
  });
});

describe('without a mouse', () => {
  test('a menu opens, is walked through, and gives the focus back', async () => {
    const router = await renderHeader();
    button('Latest').element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Latest')).toHaveAttribute('aria-expanded', 'true');
    await userEvent.tab();
    await expect.element(seeMore).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Latest')).toHaveFocus();
    await expect.element(button('Latest')).toHaveAttribute('aria-expanded', 'false');
    await userEvent.keyboard(' ');
    await userEvent.tab();
    await expect.element(seeMore).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => router.state.location.pathname).toBe('/topic/news');
    await expect.element(page.getByRole('heading', { level: 1, name: 'News' })).toHaveFocus();
    await expect.element(button('Latest')).toHaveAttribute('aria-expanded', 'false');
  });

  test('on a phone the sheet and its menus open, are walked through, and give the focus back one by one', async () => {
    await renderHeader(390, 844);
    button('Menu').element().focus();
    await userEvent.keyboard('{Enter}');
    await userEvent.tab();
    await expect.element(button('Latest')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await userEvent.tab();
    await expect.element(seeMore).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Latest')).toHaveFocus();
    await expect.element(button('Latest')).toHaveAttribute('aria-expanded', 'false');
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Menu')).toHaveFocus();
    await expect.element(button('Menu')).toHaveAttribute('aria-expanded', 'false');
  });
});

describe('the search box', () => {
  test.each([390, 800])('opens over the bar, not over the page, %i px wide', async (width) => {
    const router = await renderHeader(width, 844);
    const field = page.getByRole('searchbox');
    await expect.element(field).not.toBeInTheDocument();
    await button('Search').click();
    await expect.element(field).toHaveFocus();
    await expect.element(button('Search')).toHaveAttribute('aria-expanded', 'true');
    expect(document.getElementById('search')?.getBoundingClientRect().bottom).toBeLessThanOrEqual(56);
    await button('Close').click();
    await expect.element(field).not.toBeInTheDocument();
    await expect.element(button('Search')).toHaveFocus();
    await expect.element(button('Search')).toHaveAttribute('aria-expanded', 'false');
    await button('Search').click();
    await field.fill('consent');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => router.state.location.pathname).toBe('/search/all/consent');
    await expect.poll(() => document.getElementById('search')?.matches(':popover-open')).toBe(false);
    // The page has a form of its own, and the header none.
    await expect.element(field).toHaveValue('consent');
    await expect.element(button('Search')).not.toBeInTheDocument();
  });
});

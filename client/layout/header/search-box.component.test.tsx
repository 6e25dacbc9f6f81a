import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react/pure';
import { searchPath } from '#shared/urls.ts';
import { listenDuringTest } from '../../../tests/component/listen-during-test.ts';
import { searchData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';
import { addSearchShortcuts } from './search-shortcuts.ts';

const field = page.getByRole('searchbox');
const heading = page.getByRole('heading', { level: 1 });
const slashSetting = page.getByRole('checkbox', { name: 'The key / focuses the search box' });
const recent = () =>
  page
    .getByRole('list', { name: 'Recent searches' })
    .getByRole('link')
    .elements()
    .map(({ textContent }) => textContent);

const TERMS = ['consent', 'attribution', 'privacy'];
const ODD_TERMS = ['consent/trust', '50%', '%2F', '“x” & "y"', '🙂', '.', '..', '<b>x</b>', 'a?b#c'];

let requests: string[];
beforeEach(() => {
  listenDuringTest(() => addSearchShortcuts(document));
  const searches = [...TERMS, ...ODD_TERMS].map((term) => [
    `GET /api${searchPath('all', term)}`,
    () => Response.json(searchData({ term })),
  ]);
  requests = stubApi({ ...NAVIGATION, ...Object.fromEntries(searches) });
});

describe('the search box', () => {
  test('holds the term of the results that the page shows', async () => {
    await renderPage(searchPath('all', 'consent'));
    await expect.element(field).toHaveValue('consent');
  });

  test('goes nowhere with an empty term', async () => {
    const router = await renderPage('/about');
    await field.click();
    await userEvent.keyboard('{Enter}');
    await field.fill('  ');
    await userEvent.keyboard('{Enter}');
    expect(router.state.location.pathname).toBe('/about');
    expect(router.state.navigation.state).toBe('idle');
  });

  test.each(ODD_TERMS)('searches for %s', async (term) => {
    const router = await renderPage('/about');
    await field.fill(term);
    await userEvent.keyboard('{Enter}');
    await expect.element(heading).toHaveTextContent(`Search Result : ${term}`);
    expect(router.state.location.pathname).toBe(searchPath('all', term));
    expect(requests.at(-1)).toBe(`GET /api${searchPath('all', term)}`);
  });
});

describe('the key /', () => {
  test('focuses the search box, and is a letter in a text field', async () => {
    await renderPage('/about');
    await userEvent.keyboard('/');
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveValue('');
    await userEvent.keyboard('a/b');
    await expect.element(field).toHaveValue('a/b');
  });

  test('opens the box on a phone', async () => {
    await page.viewport(390, 800);
    await renderPage('/about');
    await expect.element(field).not.toBeInTheDocument();
    await userEvent.keyboard('/');
    await expect.element(field).toHaveFocus();
  });

  test('can be turned off, also for later visits', async () => {
    await renderPage('/search/all/consent');
    await slashSetting.click();
    await heading.click();
    await userEvent.keyboard('/');
    await expect.element(field).not.toHaveFocus();
    await cleanup();
    await renderPage('/search/all/consent');
    await expect.element(slashSetting).not.toBeChecked();
  });
});

describe('recent searches', () => {
  test('link to the searches made before, the latest first, until they are forgotten', async () => {
    const router = await renderPage('/about');
    for (const term of ['consent', 'attribution', 'consent', 'privacy']) {
      await field.fill(term);
      await userEvent.keyboard('{Enter}');
      await expect.element(heading).toHaveTextContent(`Search Result : ${term}`);
    }
    await expect.poll(recent).toEqual(['consent', 'attribution']);
    await page.getByRole('link', { name: 'consent', exact: true }).click();
    await expect.poll(() => router.state.location.pathname).toBe('/search/all/consent');
    await expect.poll(recent).toEqual(['privacy', 'attribution']);
    await page.getByRole('button', { name: 'Forget recent searches' }).click();
    await expect.poll(recent).toEqual([]);
    await cleanup();
    await renderPage('/search/all/consent');
    await expect.element(slashSetting).toBeVisible();
    expect(recent()).toEqual([]);
  });

  test('are none in a storage that is broken', async () => {
    localStorage.setItem('recent-searches', '{"a":');
    await renderPage('/search/all/consent');
    await expect.element(slashSetting).toBeVisible();
    expect(recent()).toEqual([]);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { searchPath } from '#shared/urls.ts';
import { searchData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

const field = page.getByRole('searchbox');
const heading = page.getByRole('heading', { level: 1 });

const ODD_TERMS = ['consent/trust', '50%', '%2F', '“x” & "y"', '🙂', '.', '..', '<b>x</b>', 'a?b#c'];

let requests: string[];
beforeEach(() => {
  const searches = ['consent', ...ODD_TERMS].map((term) => [
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

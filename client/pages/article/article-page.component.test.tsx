import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { fakeClock, passTime } from '../../../tests/component/fake-clock.ts';
import { articleData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { scrollTo } from '../../../tests/component/scroll-to.ts';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

const contents = page.getByRole('navigation', { name: 'Contents' });
const button = contents.getByRole('button', { name: /^Table of Contents/ });
const isFixed = () => document.querySelector('.contents')?.classList.contains('is-fixed');

const { headings, bodyHtml } = articleData().article;
const SMALL = { id: 'small', text: 'A small heading', level: 4, number: null } as const;

beforeEach(() => {
  const article = articleData({
    headings: [...headings, SMALL],
    bodyHtml: `${bodyHtml}<h4 id="small">A</h4>`,
  });
  stubApi({ ...NAVIGATION, 'GET /api/articles/news/post-1': () => Response.json(article) });
});

describe('the contents of an article', () => {
  test('is fixed after 400 pixels, and scrolls smoothly to a heading, offset by 125px after 700 ms', async () => {
    fakeClock();
    await renderPage('/news/post-1');
    await scrollTo(400);
    expect(isFixed()).toBe(false);
    await scrollTo(401);
    await expect.poll(isFixed).toBe(true);
    await scrollTo(1_500);
    await button.click();
    const moves: unknown[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation((options) => void moves.push(options));
    vi.spyOn(window, 'scrollTo').mockImplementation((options?: unknown) => void moves.push(options));
    document.querySelector<HTMLElement>('[href="#two"]')?.click();
    const heading = document.getElementById('two');
    const top = window.scrollY + (heading?.getBoundingClientRect().top ?? 0) - 125;
    passTime(699);
    expect(moves).toEqual([{ behavior: 'smooth' }]);
    passTime(1);
    expect(moves).toEqual([{ behavior: 'smooth' }, { behavior: 'smooth', top }]);
  });

  test('indents its H4 entries', async () => {
    await renderPage('/news/post-1');
    await scrollTo(2_000);
    await button.click();
    const startOf = (name: string) =>
      contents.getByRole('link', { name }).element().getBoundingClientRect().left;
    await expect.element(contents.getByRole('link', { name: 'A small heading' })).toBeInTheDocument();
    expect(startOf('A small heading')).toBeGreaterThan(startOf('1. Part one') + 10);
  });

  test('is kept within 300px, scrolling inside', async () => {
    await renderPage('/news/post-1');
    await scrollTo(1_500);
    await button.click();
    const { maxHeight, overflowY } = getComputedStyle(contents.getByRole('list').element());
    expect({ maxHeight, overflowY }).toEqual({ maxHeight: '300px', overflowY: 'auto' });
    expect(contents.getByRole('list').element().clientHeight).toBeLessThanOrEqual(300);
  });
});

test('keeps its text as it is while the page around it changes', async () => {
  await renderPage('/news/post-1');
  const text = document.querySelector('.rich-text > *');
  await scrollTo(600);
  await expect.poll(() => document.querySelectorAll('.loaded1')).toHaveLength(3);
  expect(document.querySelector('.rich-text > *')).toBe(text);
});

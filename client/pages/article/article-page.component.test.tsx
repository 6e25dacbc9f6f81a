import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { defaultSite } from '#shared/site.ts';
import { articleData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { scrollTo } from '../../../tests/component/scroll-to.ts';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

const contents = page.getByRole('navigation', { name: 'Contents' });
const button = contents.getByRole('button', { name: /^Table of Contents/ });

const { headings, bodyHtml } = articleData().article;
const SMALL = { id: 'small', text: 'A small heading', level: 4, number: null } as const;

beforeEach(() => {
  const article = articleData({
    headings: [...headings, SMALL],
    bodyHtml: `${bodyHtml}<h4 id="small">A</h4>`,
  });
  stubApi({ ...NAVIGATION, 'GET /api/articles/news/post-1': () => Response.json(article) });
});

test('the byline ends with its date, whatever way the author’s name is written', async () => {
  const data = articleData({ author: '\u202EAda Quill' });
  stubApi({
    ...NAVIGATION,
    'GET /api/articles/news/post-1': () => Response.json({ ...data, authorPage: null }),
  });
  await renderPage('/news/post-1');
  const endOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().right;
  expect(endOf('.article-byline time')).toBe(endOf('.article-byline'));
});

test.each([
  ['One letter, every Friday: what changed.', 'One letter, every Friday. Subscribe'],
  ['What changed, once a week.', 'What changed, once a week. Subscribe'],
  ['Every Friday', 'Every Friday. Subscribe'],
])('the newsletter that is called “%s” ends an article as “%s”', async (newsletter, shown) => {
  vi.spyOn(defaultSite, 'newsletter', 'get').mockReturnValue(newsletter);
  await renderPage('/news/post-1');
  await expect.element(page.getByText(shown)).toBeVisible();
});

describe('the contents of an article', () => {
  test.each([390, 1280])('is fixed after 400 pixels in a window %i pixels wide', async (width) => {
    await page.viewport(width, 900);
    await renderPage('/news/post-1');
    await scrollTo(400);
    // The article has a short head.
    expect(document.querySelector('.article-head')?.getBoundingClientRect().bottom).toBeLessThan(0);
    await expect.element(button).not.toBeInTheDocument();
    await scrollTo(401);
    await expect.element(button).toBeVisible();
    const top = () => button.element().getBoundingClientRect().top;
    const fixedAt = top();
    await scrollTo(1_500);
    expect(top()).toBe(fixedAt);
  });

  test('scrolls smoothly to a heading, to 125px below the top, and closes', async () => {
    await renderPage('/news/post-1');
    await scrollTo(1_500);
    await button.click();
    const moves: unknown[] = [];
    vi.spyOn(window, 'scrollTo').mockImplementation((options?: unknown) => void moves.push(options));
    const heading = document.getElementById('two');
    const top = window.scrollY + (heading?.getBoundingClientRect().top ?? 0) - 125;
    const entry = document.querySelector<HTMLElement>('[href="#two"]');
    // Opened in another tab it moves nothing here.
    window.addEventListener('click', (click) => click.preventDefault(), { once: true });
    entry?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
    expect(moves).toEqual([]);
    entry?.click();
    expect(moves).toEqual([{ behavior: 'smooth', top }]);
    await expect.element(button).toHaveAttribute('aria-expanded', 'false');
    await expect.poll(() => document.activeElement).toBe(heading);
  });

  test('leads there also when a late smooth scroll ends elsewhere', async () => {
    await renderPage('/news/post-1');
    await scrollTo(1_500);
    await button.click();
    const scrolls = vi.spyOn(window, 'scrollTo');
    document.querySelector<HTMLElement>('[href="#two"]')?.click();
    await expect.poll(() => JSON.stringify(scrolls.mock.calls)).toContain('instant');
    await scrollTo(900);
    const top = () => document.getElementById('two')?.getBoundingClientRect().top;
    await expect.poll(top).toBeCloseTo(125, 0);
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

test.each([390, 1280])(
  'stays where it is read in a window %i pixels wide when a picture above gets its size',
  async (width) => {
    await page.viewport(width, 900);
    await renderPage('/news/post-1');
    const heading = document.getElementById('four');
    const top = () => heading?.getBoundingClientRect().top;
    await scrollTo(window.scrollY + (top() ?? 0) - 125);
    const picture = document.createElement('div');
    picture.style.blockSize = '600px';
    document.getElementById('two')?.before(picture);
    await expect.poll(top).toBeCloseTo(125, 0);
  },
);

test('keeps its text as it is while the page around it changes', async () => {
  await renderPage('/news/post-1');
  const text = document.querySelector('.rich-text > *');
  await scrollTo(600);
  await expect.poll(() => document.querySelectorAll('.loaded1')).toHaveLength(3);
  expect(document.querySelector('.rich-text > *')).toBe(text);
});

test('the progress line is empty at the start of the article and full at its end', async () => {
  await renderPage('/news/post-1');
  const text = document.querySelector('.article-main');
  const line = document.querySelector('.reading-progress');
  if (!text || !line) throw new Error('no article');
  const progress = () => Number.parseFloat(getComputedStyle(line).scale);
  const { top, bottom } = text.getBoundingClientRect();
  expect(progress()).toBe(0);
  await scrollTo((top + bottom - window.innerHeight) / 2);
  await expect.poll(progress).toBeCloseTo(0.5, 1);
  await scrollTo(bottom);
  await expect.poll(() => getComputedStyle(line).scale).toMatch(/^(1|none)$/);
});

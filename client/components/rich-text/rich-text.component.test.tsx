import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { articleData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

const ARABIC = 'مستقبل التسويق الرقمي.';

/** Renders an article and returns an element of its text. */
async function renderText(bodyHtml: string): Promise<(selector: string) => HTMLElement> {
  const article = articleData({ bodyHtml, headings: [] });
  stubApi({ ...NAVIGATION, 'GET /api/articles/news/post-1': () => Response.json(article) });
  await renderPage('/news/post-1');
  return (selector) => {
    const element = document.querySelector<HTMLElement>(`.rich-text ${selector}`);
    if (!element) throw new Error(`The text has no ${selector}`);
    return element;
  };
}

/** Returns the positions of the first letter and of the full stop of a text. */
function endsOf(element: HTMLElement): { first: number; stop: number } {
  const text = element.firstChild;
  if (!(text instanceof Text)) throw new Error('The element has no text');
  const positionOf = (index: number) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + 1);
    return range.getBoundingClientRect().left;
  };
  return { first: positionOf(0), stop: positionOf(text.length - 1) };
}

test('a text from right to left has its lists and tables at the right, and other texts in it keep their own direction', async () => {
  const find = await renderText(
    `<p id="arabic">${ARABIC}</p><ul><li>One.</li></ul><p id="english">The end.</p><blockquote><p>${ARABIC}</p></blockquote>`,
  );
  const { left, right } = find('ul').getBoundingClientRect();
  const arabic = endsOf(find('#arabic'));
  expect(arabic.stop).toBeLessThan(arabic.first);
  const item = endsOf(find('li'));
  expect(item.first).toBeLessThan(item.stop);
  expect(item.first).toBeGreaterThan((left + right) / 2);
  const english = endsOf(find('#english'));
  expect(english.first).toBeLessThan(english.stop);
});

test('headings of the lowest ranks are as large as an H4', async () => {
  const find = await renderText('<h4>Four</h4><p>4</p><h5>Five</h5><p>5</p><h6>Six</h6><p>6</p>');
  const [four, ...others] = ['h4', 'h5', 'h6'].map((tag) => getComputedStyle(find(tag)).fontSize);
  expect(others).toEqual([four, four]);
});

test.each(['<ul><li>a', '<blockquote><p>a'])(
  '%s in forty of its kind is no wider than a phone, and each begins further in than the one around it',
  async (html) => {
    await page.viewport(390, 844);
    await renderText(html.replace('<p>', '<p>a</p>').repeat(40));
    expect(document.documentElement.scrollWidth).toBe(390);
    const lefts = Array.from(
      document.querySelectorAll('.rich-text :is(li, blockquote > p:first-child)'),
      (element) => element.getBoundingClientRect().left,
    );
    expect(lefts).toHaveLength(40);
    expect(new Set(lefts.map(Math.round)).size).toBe(40);
  },
);

test('a picture among words stands in their line', async () => {
  const find = await renderText(
    '<p>Begin.</p><p id="plain">One two.</p><p id="with">One <img src="/client/public/icon-192.png" width="16" height="16" alt=""> two.</p>',
  );
  expect(find('#with').clientHeight).toBe(find('#plain').clientHeight);
});

test.each([
  ['right', 'How to keep a ledger.'],
  ['left', ARABIC],
] as const)('the picture of a bookmark stands at the %s of “%s”, apart from it', async (side, text) => {
  const find = await renderText(
    `<div class="b-card"><img src="/client/public/icon-192.png" alt=""><p>${text.repeat(20)}</p></div>`,
  );
  const [card, picture] = [find('.b-card'), find('img')].map((element) => element.getBoundingClientRect());
  expect(picture?.[side]).toBe(card?.[side]);
  const words = document.createRange();
  words.selectNodeContents(find('p'));
  const [line] = words.getClientRects();
  const gap =
    side === 'left' ? (line?.left ?? 0) - (picture?.right ?? 0) : (picture?.left ?? 0) - (line?.right ?? 0);
  expect(gap).toBeGreaterThanOrEqual(16);
});

test('an embed is a placeholder with a button, until a reader loads it', async () => {
  const find = await renderText(
    '<figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><p>On ledgers</p><a href="https://www.youtube.com/watch?v=abcdefghijk">Open the video on YouTube</a></figure>',
  );
  const { height } = find('.b-embed').getBoundingClientRect();
  expect(document.querySelector('iframe')).toBeNull();
  await page.getByRole('button', { name: 'Load the video from YouTube' }).click();
  const frame = page.getByTitle('On ledgers');
  await expect.element(frame).toHaveAttribute('src', 'https://www.youtube-nocookie.com/embed/abcdefghijk');
  await expect.element(frame).toHaveAttribute('referrerpolicy', 'strict-origin');
  await expect.element(frame).toHaveAttribute('sandbox');
  await expect.element(frame).toHaveFocus();
  expect(find('.b-embed').getBoundingClientRect().height).toBe(height);
  await expect.element(page.getByRole('link', { name: 'Open the video on YouTube' })).toBeVisible();
});

test('a numbered list has the numbers of its type', async () => {
  const list = (type: string) => `<ol type="${type}"><li>One</li></ol>`;
  const find = await renderText(`${['1', 'a', 'A', 'i', 'I'].map(list).join('')}<ul><li>One</li></ul>`);
  const styles = [...(find('ol').parentElement?.children ?? [])].map(
    (one) => getComputedStyle(one).listStyleType,
  );
  expect(styles).toEqual(['decimal', 'lower-alpha', 'upper-alpha', 'lower-roman', 'upper-roman', '"–  "']);
});

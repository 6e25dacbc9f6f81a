import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { topicData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';
import { LONG_WORD } from '../../../tests/e2e/text/long-word.ts';

const strip = page.getByRole('navigation', { name: 'Sub-categories' });
const more = strip.getByRole('button', { name: 'More' });
const links = () => strip.getByRole('link').elements();

test('opens the rest of the filters behind More; a choice, Escape and a click outside close it', async () => {
  const subcategories = Array.from({ length: 10 }, (_, index) => ({
    slug: `part-${index + 1}`,
    name: `Part ${index + 1}`,
  }));
  stubApi({
    ...NAVIGATION,
    'GET /api/topics/news': () => Response.json(topicData({ subcategories })),
    'GET /api/topics/news/part-9': () => Response.json(topicData({ subcategories, subcategory: 'part-9' })),
  });
  await renderPage('/topic/news');
  const heading = page.getByRole('heading', { level: 1 });
  await expect.poll(links).toHaveLength(6);
  await more.click();
  await expect.element(more).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(links).toHaveLength(10);
  await userEvent.tab();
  await expect.element(strip.getByRole('link', { name: 'Part 7' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.poll(links).toHaveLength(6);
  await expect.element(more).toHaveFocus();
  await more.click();
  await heading.click();
  await expect.poll(links).toHaveLength(6);
  await more.click();
  await strip.getByRole('link', { name: 'Part 9' }).click();
  await expect.element(heading).toHaveTextContent('News part-9');
  await expect.element(more).toHaveAttribute('aria-expanded', 'false');
  await more.click();
  await expect.element(strip.getByRole('link', { name: 'Part 9' })).toHaveAttribute('aria-current', 'page');
  expect(strip.element().querySelectorAll('[aria-current]')).toHaveLength(1);
});

test.each(['100%', '200%'])('keeps More in a narrow window with letters of %s', async (fontSize) => {
  await page.viewport(320, 900);
  document.documentElement.style.fontSize = fontSize;
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'));
  const subcategories = Array.from({ length: 10 }, (_, index) => ({
    slug: `part-${index + 1}`,
    name: `${LONG_WORD} ${index + 1}`,
  }));
  stubApi({ ...NAVIGATION, 'GET /api/topics/news': () => Response.json(topicData({ subcategories })) });
  await renderPage('/topic/news');
  await more.click();
  await expect.poll(links).toHaveLength(10);
  const { left = -1, right = Infinity } =
    document.getElementById('more-filters')?.getBoundingClientRect() ?? {};
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(320);
});

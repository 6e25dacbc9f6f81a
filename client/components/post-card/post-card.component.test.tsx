import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { postSummary } from '../../../tests/fixtures/post-summary.ts';
import { PostCard } from './post-card.tsx';

test('a card links to its article with its whole area', async () => {
  const followed: (string | null)[] = [];
  const { container } = await render(
    <PostCard
      post={postSummary({ slug: 'a-story', author: 'Ada Quill' })}
      image={{ width: 500, sizes: '400px' }}
    />,
  );
  container.addEventListener('click', (event) => {
    event.preventDefault();
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    followed.push(link?.getAttribute('href') ?? null);
  });
  const card = page.getByRole('article');
  for (const selector of ['.responsive-image', '.post-card-title', '.post-meta > :first-child']) {
    const part = container.querySelector(selector)?.getBoundingClientRect();
    const { x, y } = card.element().getBoundingClientRect();
    await card.click({
      position: {
        x: (part?.right ?? 0) - x - 4,
        y: ((part?.top ?? 0) + (part?.bottom ?? 0)) / 2 - y,
      },
    });
  }
  expect(followed).toEqual(Array(3).fill('/news/a-story'));
});

import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import '#client/styles/site.css';
import { postSummary } from '../../../tests/fixtures/post-summary.ts';
import { PostCard } from './post-card.tsx';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

test('a card links to its article with its whole area', async () => {
  const followed: (string | null)[] = [];
  const { container } = await render(
    <PostCard
      post={postSummary({ slug: 'a-story', author: 'Ada Quill', image: PIXEL })}
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

const IMAGE = { width: 500, sizes: '400px' };
const LONG = 'What changed, and what it costs. '.repeat(20);

test('a post without a picture is a card of text, with its excerpt and no stand-in', async () => {
  const post = postSummary({ slug: 'a-story', excerpt: 'What changed.' });
  const { container } = await render(<PostCard post={post} image={IMAGE} />);
  expect(container.querySelector('.responsive-image, svg')).toBeNull();
  await expect.element(page.getByText('What changed.')).toBeVisible();
});

test('a picture that was promised and fails is the logo', async () => {
  const post = postSummary({ slug: 'a-story', image: 'data:image/png;base64,AAAA' });
  const { container } = await render(<PostCard post={post} image={IMAGE} />);
  container.querySelector('img')?.scrollIntoView();
  await expect.poll(() => container.querySelector('.responsive-image.is-empty svg')).not.toBeNull();
});

test.each([
  ['large', 3],
  ['row', 2],
] as const)('an excerpt of a whole paragraph takes %s lines in a card that is %s', async (layout, lines) => {
  const post = postSummary({ slug: 'a-story', excerpt: LONG, image: PIXEL });
  const { container } = await render(<PostCard post={post} layout={layout} image={IMAGE} withExcerpt />);
  const excerpt = container.querySelector('.post-card-excerpt');
  if (!excerpt) throw new Error('no excerpt');
  expect(excerpt.clientHeight / Number.parseFloat(getComputedStyle(excerpt).lineHeight)).toBeCloseTo(
    lines,
    1,
  );
});

test('date and reading time stay on one line where the author takes the one before', async () => {
  const post = postSummary({ slug: 'a-story', author: 'Priyanka Vaswani', readingMinutes: 4 });
  const { container } = await render(
    <div style={{ inlineSize: 220 }}>
      <PostCard post={post} image={IMAGE} />
    </div>,
  );
  const [author, date, minutes] = [
    ...container.querySelectorAll('.post-meta > span:first-child, time, time + span'),
  ].map((part) => Math.round(part.getBoundingClientRect().top));
  expect(author).toBeLessThan(Number(date));
  expect(minutes).toBe(date);
});

test.each([
  ['eighty-five letters without a space', 'x'.repeat(85)],
  ['two lines with what looks like markup', `<b>${'The largest of them '.repeat(8)}</b>`],
])('a title of %s is shown whole, inside a card of 160 pixels', async (_, title) => {
  const { container } = await render(
    <div style={{ inlineSize: 160 }}>
      <main>
        <PostCard post={postSummary({ slug: 'a-story', title })} image={IMAGE} />
      </main>
    </div>,
  );
  const heading = page.getByRole('heading', { name: title.trim() });
  await expect.element(heading).toHaveTextContent(title.trim());
  expect(container.querySelector('article')?.scrollWidth).toBeLessThanOrEqual(160);
});

test('the reading time is read in its own direction on a page from right to left', async () => {
  const post = postSummary({ slug: 'a-story', author: 'Ada Quill', readingMinutes: 4 });
  const { container } = await render(
    <div dir="rtl">
      <PostCard post={post} image={IMAGE} />
    </div>,
  );
  const text = container.querySelector('.post-meta-when > :last-child')?.firstChild;
  if (!text) throw new Error('no reading time');
  const leftOf = (from: number, to: number) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return range.getBoundingClientRect().left;
  };
  expect(text.textContent).toBe('4 min read');
  expect(leftOf(0, 1)).toBeLessThan(leftOf(2, 5));
  expect(
    getComputedStyle(container.querySelector('.post-meta-when > :last-child') ?? container).textAlign,
  ).toBe('right');
});

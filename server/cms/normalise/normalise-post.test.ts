import { describe, expect, it } from 'vitest';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import { cmsPost, deckOf, normaliseArticle } from './normalise-post.ts';

function deckOfPost(fields: Record<string, unknown>): string | null {
  const post = cmsPost.parse({ post_title: 'A title', ...fields });
  const article = normaliseArticle(post, { category: 'news', slug: 'a-story' }, () => null);
  const { beginning } = renderArticleHtml(post.post_content ?? '', {
    imageHost: '/media',
    imagesServedBelow: null,
    publicOrigin: 'https://site.example.com',
  });
  return deckOf(article.description, beginning);
}

describe('the deck of an article', () => {
  const post_content = '<p>What changed, and what it costs, is the matter of this article.</p><p>More.</p>';

  it('is its description', () => {
    expect(deckOfPost({ post_content, meta_description: 'A vendor raises its prices.' })).toBe(
      'A vendor raises its prices.',
    );
  });

  it('is none where that only repeats the beginning of the body', () => {
    expect(deckOfPost({ post_content })).toBeNull();
    expect(deckOfPost({ post_content, p_content: 'What changed, and what it costs […]' })).toBeNull();
  });
});

it.each([
  ['7', 7],
  ['4 min', 4],
  ['Reading time: 3.6 minutes', 4],
  ['1 hour', 60],
  ['1 hour 5 min', 65],
  ['2 hrs and 10 mins', 130],
  ['1h05', 65],
  ['1 Std. 20 Min.', 80],
  ['1 hour (12000 words)', 60],
  ['1.5 hours', 90],
  ['1,5 Stunden', 90],
  ['100 h', 100],
  ['8 highlights', 8],
  ['-3', null],
  ['0', null],
  ['11 hours', null],
  ['a while', null],
])('a reading time written %s is %s minutes', (reading_time, minutes) => {
  const article = normaliseArticle(
    cmsPost.parse({ post_title: 'A title', reading_time }),
    { category: 'news', slug: 'a-story' },
    () => null,
  );
  expect(article.readingMinutes).toBe(minutes);
});

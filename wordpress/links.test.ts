import { describe, expect, it } from 'vitest';
import { endingOf, linkTarget } from './links.ts';
import { WpPost } from './post-fields.ts';

const SITE = { homes: ['https://example.org', 'https://cms.example.org'], eventFolder: null };

describe('linkTarget', () => {
  it.each([
    ['https://example.org/event/summit/#talks', { by: 'event', value: 'summit' }],
    ['https://example.org/event/%ce%b1/2027-01-05', { by: 'event', value: 'α' }],
    ['https://example.org/event/', { by: 'slug', value: 'event' }],
    ['https://example.org/event/summit/tickets/', { by: 'slug', value: 'tickets' }],
  ])('takes %s for %o where The Events Calendar is there', (href, target) => {
    expect(linkTarget(href, { ...SITE, eventFolder: '/event' })).toEqual(target);
    expect(linkTarget(href, SITE)?.by).toBe('slug');
  });

  it.each([
    ['https://example.org/2026/01/a-post/', { by: 'slug', value: 'a-post' }],
    ['http://cms.example.org/a-post', { by: 'slug', value: 'a-post' }],
    ['https://example.org/%ce%b1', { by: 'slug', value: 'α' }],
    ['https://example.org/2026/01/a-post.html', { by: 'slug', value: 'a-post' }],
    ['https://example.org/archives/12.html#x', { by: 'include', value: '12' }],
    ['https://example.org/?page_id=12', { by: 'slug', value: '' }],
    ['https://example.org/2026/01/a-post/amp/', { by: 'slug', value: 'a-post' }],
    ['https://example.org/2026/01/a-post/?amp=1', { by: 'slug', value: 'a-post' }],
    ['https://example.org/2026/01/amp/', { by: 'slug', value: 'amp' }],
    ['https://example.org/?utm_source=a&gclid=b', { by: 'home', value: '' }],
    ['https://example.org/index.php', { by: 'home', value: '' }],
    ['https://example.org/index.php/feed/', { by: 'home', value: '' }],
    ['https://example.org/2026/01/a-post/2/', { by: 'slug', value: 'a-post' }],
    ['https://example.org/2026/01/a-post/feed/atom/', { by: 'slug', value: 'a-post' }],
    ['https://example.org/a-post/comment-page-2/#comments', { by: 'slug', value: 'a-post' }],
    ['https://example.org/2026/01/', { by: 'slug', value: '01' }],
    ['https://example.org/index.php?s=a', { by: 'search', value: 'a' }],
    ['https://example.org/?p=12', { by: 'include', value: '12' }],
    ['https://example.org/?p=twelve', { by: 'slug', value: '' }],
    ['https://example.org/archives/12', { by: 'include', value: '12' }],
    ['https://example.org/archives/12/?replytocom=3', { by: 'include', value: '12' }],
    ['https://example.org/index.php/archives/12', { by: 'include', value: '12' }],
    ['https://example.org/2026/', { by: 'slug', value: '2026' }],
    ['https://example.org/author/ada/', { by: 'slug', value: '' }],
    ['https://example.org/wp-content/uploads/a.pdf', { by: 'slug', value: '' }],
    ['https://example.organic/a-post', null],
    ['http://www.example.org/a-post', { by: 'slug', value: 'a-post' }],
    ['https://www.example.com/a-post', null],
  ])('finds in %s %o', (href, expected) => {
    expect(linkTarget(href, SITE)).toEqual(expected);
  });
});

it('a number at the end of a link is a post’s where those of the site end so, and none of a date’s', () => {
  const found = ['blog/12/', '12.html', 'date/2026/01/', 'a-post'].map((path) =>
    linkTarget(`https://example.org/${path}`, SITE, 'number'),
  );
  expect(found).toEqual([
    { by: 'include', value: '12' },
    { by: 'include', value: '12' },
    { by: 'slug', value: '' },
    { by: 'slug', value: 'a-post' },
  ]);
});

it.each([
  ['https://example.org/2026/a-post/', 'name', 'other'],
  ['https://example.org/news/a-post-12/', 'name-number', 'other-7'],
  ['https://example.org/12-a-post.html', 'number-name', '7-other.html'],
  ['https://example.org/archives/12', 'number', 'other'],
])('posts at addresses such as %s end with %s', (link, ending, other) => {
  const post = WpPost.parse({ id: 12, slug: 'a-post', link, content: { protected: false } });
  expect(endingOf(post)).toBe(ending);
  expect(linkTarget(`https://example.org/news/${other}`, SITE, endingOf(post))).toEqual({
    by: 'slug',
    value: 'other',
  });
});

it('a tag is found in the folder of tags, whatever its list is asked for', () => {
  const folders = { tag: new Set(['/tag']), author: new Set<string>() };
  for (const href of [
    'https://example.org/tag/a/',
    'https://example.org/tag/a/page/2/',
    'https://example.org/tag/a/?s=b',
  ])
    expect(linkTarget(href, SITE, 'name', folders)).toEqual({ by: 'tag', value: 'a' });
});

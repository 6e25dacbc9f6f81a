import { describe, expect, it } from 'vitest';
import { publishPosts } from './publish-content.ts';
import { sampleContent, samplePost } from './sample-content.ts';
import { createSearch } from './search.ts';

describe('createSearch', () => {
  const posts = [
    samplePost({
      slug: 'plain',
      title: 'Nothing here',
      bodyHtml: '<p>A <em>caf\u00e9</em> in Lyon &amp; a ledger.</p>',
      daysAgo: 1,
    }),
    samplePost({ slug: 'titled', title: 'The CAF\u00c9 question', daysAgo: 9 }),
    samplePost({ slug: 'guest', category: 'guest-author', author: 'desk', title: 'Elsewhere', daysAgo: 2 }),
  ];
  const search = createSearch(publishPosts(sampleContent({ posts }), Date.UTC(2026, 10, 20, 12)));
  const names = (category: string, term: string) => search(category, term).map(({ slug }) => slug);

  it('finds words without case and accents, in titles before bodies', () => {
    expect(names('all', 'Cafe')).toEqual(['titled', 'plain']);
  });

  it('wants every word of the term', () => {
    expect(names('all', 'lyon  cafe')).toEqual(['plain']);
    expect(names('all', 'lyon bicycle')).toEqual([]);
  });

  it('looks at the author, too', () => {
    expect(names('all', 'desk')).toEqual(['guest']);
  });

  it('keeps to a category', () => {
    expect(names('guest-author', 'ledger')).toEqual(['guest']);
    expect(names('gossip', 'ledger')).toEqual([]);
  });

  it('finds nothing in tags, entities or an empty term', () => {
    expect(names('all', '<em>')).toEqual([]);
    expect(names('all', 'amp')).toEqual([]);
    expect(names('all', '  ')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { ArticlePage } from '#shared/models/article.ts';
import { defaultSite } from '#shared/site.ts';
import { structuredData } from './structured-data.ts';

const origin = 'https://www.example.com';

const page: ArticlePage = {
  article: {
    id: '1',
    category: 'podcasts',
    slug: 'a-story',
    title: 'A story </script><script>alert(1)</script>',
    author: 'Ines Halloran',
    publishedAt: '2026-11-18T08:30:00.000Z',
    modifiedAt: null,
    description: 'What it is about',
    deck: null,
    keywords: ['consent'],
    image: '/media/posts/a-story.jpg',
    banner: null,
    video: { provider: 'youtube', id: 'abcdefghijk' },
    readingMinutes: 4,
    bodyHtml: '<p>Text</p>',
    headings: [],
  },
  author: { name: 'Ines Halloran', description: 'Editor', photo: '/media/authors/ines.jpg' },
  authorPage: null,
  latest: [],
  related: [],
  ads: [],
};

function graphOf(route: string, data: unknown): Record<string, unknown>[] {
  const matches = [{ route: { id: 'root' } }, { route: { id: route } }];
  const block = structuredData(
    { matches: matches as never, loaderData: { [route]: data }, errors: null },
    origin,
    defaultSite,
  );
  const json = /^<script type="application\/ld\+json">(.*)<\/script>$/s.exec(block)?.[1] ?? '';
  return JSON.parse(json)['@graph'];
}

describe('structuredData', () => {
  it('names the publisher and the site’s search on every page', () => {
    const types = graphOf('home', {}).map((thing) => thing['@type']);
    expect(types).toEqual(['Organization', 'WebSite']);
    expect(JSON.stringify(graphOf('home', {}))).toContain(`${origin}/search/all/{search_term_string}`);
  });

  it('names the date of a change where the upstream has one, and none else', () => {
    const modifiedAt = '2026-11-19T09:00:00.000Z';
    const changed = { ...page, article: { ...page.article, modifiedAt } };
    expect(graphOf('article', changed)).toContainEqual(expect.objectContaining({ dateModified: modifiedAt }));
    expect(JSON.stringify(graphOf('article', page))).not.toContain('dateModified');
  });

  it.each([
    ['Newsroom Desk', 'Organization'],
    ['The Editors', 'Organization'],
    ['Nachrichtenredaktion', 'Organization'],
    ['Deskin Ray', 'Person'],
  ])('%s is the author as an %s', (author, type) => {
    const graph = graphOf('article', { ...page, author: null, article: { ...page.article, author } });
    expect(graph).toContainEqual(expect.objectContaining({ author: { '@type': type, name: author } }));
  });

  it('describes an article as news article, posting, image, video and breadcrumbs', () => {
    const graph = graphOf('article', page);
    const types = graph.map((thing) => thing['@type']);
    expect(types).toEqual(
      expect.arrayContaining([
        'NewsArticle',
        'SocialMediaPosting',
        'ImageObject',
        'VideoObject',
        'BreadcrumbList',
      ]),
    );
    expect(graph.find((thing) => thing['@type'] === 'NewsArticle')).toMatchObject({
      headline: page.article.title,
      datePublished: '2026-11-18T08:30:00.000Z',
      author: { '@type': 'Person', name: 'Ines Halloran', url: `${origin}/podcasts/a-story#author` },
      mainEntityOfPage: `${origin}/podcasts/a-story`,
    });
    const video = graph.find((thing) => thing['@type'] === 'VideoObject');
    expect(video).toMatchObject({ embedUrl: 'https://www.youtube-nocookie.com/embed/abcdefghijk' });
    // The URL of the video's file is unknown.
    expect(video).not.toHaveProperty('contentUrl');
    const image = graph.find((thing) => thing['@type'] === 'ImageObject');
    // The size of an upstream's image is unknown.
    for (const size of ['width', 'height']) expect(image).not.toHaveProperty(size);
  });

  it('names the author’s page in an article, and describes it as a profile', () => {
    const url = `${origin}/author/7`;
    const graph = graphOf('article', { ...page, authorPage: '7' });
    expect(graph).toContainEqual(
      expect.objectContaining({ '@type': 'NewsArticle', author: expect.objectContaining({ url }) }),
    );
    const own = 'https://people.example.com/ines';
    const author = { ...page.author, url: own };
    const [, , profile, trail] = graphOf('author', { id: '7', author, posts: [], ads: [] });
    expect(profile).toMatchObject({
      '@type': 'ProfilePage',
      url,
      mainEntity: { '@type': 'Person', name: 'Ines Halloran', description: 'Editor', url, sameAs: own },
    });
    expect(trail).toMatchObject({ '@type': 'BreadcrumbList' });
  });

  it('escapes a title that would end the script element', () => {
    const matches = [{ route: { id: 'article' } }];
    const block = structuredData(
      { matches: matches as never, loaderData: { article: page }, errors: null },
      origin,
      defaultSite,
    );
    expect(block.match(/<\/script>/g)).toHaveLength(1);
  });

  it('is empty for an error page', () => {
    const matches = [{ route: { id: 'article' } }];
    expect(
      structuredData(
        { matches: matches as never, loaderData: {}, errors: { article: new Error('x') } },
        origin,
        defaultSite,
      ),
    ).toBe('');
  });
});

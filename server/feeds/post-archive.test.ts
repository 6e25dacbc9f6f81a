import { beforeEach, describe, expect, it } from 'vitest';
import type { PostSummary } from '#shared/models/post.ts';
import { type ArchiveSource, createPostArchive } from './post-archive.ts';

let now: number;
let asked: string[];
let paused: number;
let fails: boolean;

beforeEach(() => {
  now = 0;
  asked = [];
  paused = 0;
  fails = false;
});

function post(category: string, slug: string): PostSummary {
  return {
    id: slug,
    category,
    slug,
    title: slug,
    excerpt: null,
    author: null,
    publishedAt: '2026-01-05T10:20:30.000Z',
    image: null,
    readingMinutes: null,
    hasVideo: false,
  };
}

const source: ArchiveSource = {
  categories: async () => ['news', 'articles'],
  async page(category, page) {
    asked.push(`${category} ${page}`);
    if (fails) throw new Error('the upstream is down');
    return { posts: [post(category, `${category}-${page}`)], totalPages: category === 'news' ? 3 : 1 };
  },
};

const archiveOf = () =>
  createPostArchive({
    source,
    clock: () => now,
    pause: async (ms) => {
      paused += ms;
    },
  });

describe('the archive of posts', () => {
  it('asks nobody before a sitemap is asked for', async () => {
    await archiveOf().settled();
    expect(asked).toEqual([]);
  });

  it('answers at once with what it has, and walks every page of every category meanwhile, with pauses', async () => {
    const archive = archiveOf();
    expect(archive.posts()).toEqual({ posts: [], version: 0 });
    archive.posts();
    await archive.settled();
    expect(asked).toEqual(['news 1', 'news 2', 'news 3', 'articles 1']);
    expect(paused).toBe(1_000);
    const { posts, version } = archive.posts();
    expect(version).toBe(1);
    expect(posts.map(({ path }) => path)).toEqual([
      '/news/news-1',
      '/news/news-2',
      '/news/news-3',
      '/articles/articles-1',
    ]);
  });

  it('walks again after an hour, and sooner after a failure, which takes nothing away', async () => {
    const archive = archiveOf();
    archive.posts();
    await archive.settled();
    now += 3_599_000;
    archive.posts();
    await archive.settled();
    expect(asked).toHaveLength(4);
    now += 1_000;
    fails = true;
    archive.posts();
    await archive.settled();
    expect(archive.posts().posts).toHaveLength(4);
    expect(asked).toHaveLength(5);
    fails = false;
    now += 300_000;
    archive.posts();
    await archive.settled();
    expect(asked).toHaveLength(9);
  });
});

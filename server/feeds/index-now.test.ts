import { beforeEach, describe, expect, it } from 'vitest';
import type { PostSummary } from '#shared/models/post.ts';
import { postSummary } from '../../tests/fixtures/post-summary.ts';
import { type Announcement, createIndexNow } from './index-now.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

let sent: Announcement[];
let waiting: (() => void)[];
let warnings: string[];
let fails: boolean;
let list: PostSummary[];

beforeEach(() => {
  sent = [];
  waiting = [];
  warnings = [];
  fails = false;
  list = [];
});

const post = (slug: string, publishedAt: string | null) => postSummary({ slug, publishedAt });

const create = () =>
  createIndexNow({
    key: 'a-key-of-ours',
    origin: 'https://www.example.com',
    latest: async () => list,
    send: async (announcement) => {
      if (fails) throw new Error('no response');
      sent.push(announcement);
    },
    later: (work) => void waiting.push(work),
    now: () => NOW,
    logger: { warn: (_about, message) => void warnings.push(message) },
  });

/** Lets promises run, and the time that changes are gathered for pass. */
async function gather(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  for (const work of waiting.splice(0)) work();
  await new Promise((resolve) => setImmediate(resolve));
}

describe('search engines', () => {
  it('get changed articles, together', async () => {
    const { changed } = create();
    for (const key of ['article/news/one%20two', 'topic/news//1', 'article/news/three']) changed(key);
    await gather();
    expect(sent).toEqual([
      {
        host: 'www.example.com',
        key: 'a-key-of-ours',
        keyLocation: 'https://www.example.com/a-key-of-ours.txt',
        urlList: ['https://www.example.com/news/one%20two', 'https://www.example.com/news/three'],
      },
    ]);
  });

  it('get an article of the last day once when it comes into the list', async () => {
    const { start, changed } = create();
    await start();
    list = [
      post('new', '2026-11-20T10:00:00.000Z'),
      post('old', '2026-11-10T10:00:00.000Z'),
      post('undated', null),
    ];
    changed('latest/all');
    await gather();
    changed('latest/all');
    await gather();
    expect(sent.map(({ urlList }) => urlList)).toEqual([['https://www.example.com/news/new']]);
  });

  it('are not told again of what the list held before a restart', async () => {
    list = [post('new', '2026-11-20T10:00:00.000Z')];
    const { start, changed } = create();
    await start();
    list = [post('newer', '2026-11-20T11:00:00.000Z'), ...list];
    changed('latest/all');
    await gather();
    expect(sent.map(({ urlList }) => urlList)).toEqual([['https://www.example.com/news/newer']]);
  });

  it('get URLs of this site alone, whatever a slug is', async () => {
    const { changed } = create();
    const parts = [
      '',
      '.',
      '..',
      '//evil.example',
      'http://evil.example',
      '@evil.example',
      '\\',
      '?x=',
      '#',
      '\r\n',
    ];
    for (const category of parts)
      for (const slug of parts) changed(['article', category, slug].map(encodeURIComponent).join('/'));
    await gather();
    const urls = sent.flatMap(({ urlList }) => urlList);
    expect(urls.length).toBeGreaterThan(50);
    expect(new Set(urls.map((url) => new URL(url).origin))).toEqual(new Set(['https://www.example.com']));
  });

  it('that cannot be reached cost a line in the log', async () => {
    fails = true;
    const { changed } = create();
    changed('article/news/one');
    await gather();
    expect(warnings).toEqual(['the submission to IndexNow failed']);
  });
});

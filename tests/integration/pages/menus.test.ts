import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cmsPosts } from '../../fixtures/cms-lists.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { linksOf, textOf } from './markup.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());
beforeEach(() => site.reset());

const CALLS = [
  { path: '/api/post/latestPost', lists: ['newsData', 'quickByteData'] },
  { path: '/api/post/leadership', lists: ['podcastData', 'inteviewData', 'guestPostData'] },
  { path: '/api/post/featured', lists: ['articleData', 'learningData'] },
];

/** Makes the upstream respond to each menu list with `posts(list)`. */
async function menuLists(posts: (list: string) => ReturnType<typeof cmsPosts>): Promise<void> {
  await site.faults(
    CALLS.map(({ path, lists }) => ({
      path,
      kind: 'wrong-json' as const,
      body: Object.fromEntries(lists.map((list) => [list, posts(list)])),
    })),
  );
}

interface Column {
  menu: string;
  title: string;
  items: string[];
  seeMore: string;
}

/** Returns the menus' columns of a page. */
async function columns(): Promise<Column[]> {
  const { text } = await request(site.origin).get('/about').expect(200);
  const header = text.slice(text.indexOf('<header'), text.indexOf('</header>'));
  return header.split(/(?=<div id="menu-)/).flatMap((panel) => {
    const menu = /^<div id="menu-(\w+)"/.exec(panel)?.[1] ?? '';
    return panel
      .split(/(?=<section class="menu-column")/)
      .slice(1)
      .map((column) => {
        const [[seeMore, label] = ['', ''], ...items] = linksOf(column.split('</section>', 1)[0] ?? '');
        return {
          menu,
          title: label.replace('See More of ', ''),
          items: items.map(([href, title]) => `${href} ${title}`),
          seeMore,
        };
      });
  });
}

describe('the menus', () => {
  it('render each list of the three calls in its column, three items at most', async () => {
    await menuLists((list) => cmsPosts(4, list));
    const expected = (menu: string, title: string, list: string) => ({
      menu,
      title,
      items: [1, 2, 3].map((number) => `/${list}/${list}-post-${number} Post ${number}`),
      seeMore: `/topic/${list}`,
    });
    expect(await columns()).toEqual([
      expected('Latest', 'News', 'newsData'),
      expected('Latest', 'Quick Bytes', 'quickByteData'),
      expected('Leadership', 'Podcasts', 'podcastData'),
      expected('Leadership', 'Featured Interview', 'inteviewData'),
      expected('Leadership', 'Guest Posts', 'guestPostData'),
      expected('Features', 'Articles', 'articleData'),
      expected('Features', 'Learning Center', 'learningData'),
    ]);
  });

  it('lead from an empty column to its own topic', async () => {
    await menuLists(() => []);
    expect((await columns()).map(({ seeMore, items }) => [seeMore, items])).toEqual([
      ['/topic/news', []],
      ['/topic/quickbytes', []],
      ['/topic/podcasts', []],
      ['/topic/interview', []],
      ['/topic/guest-author', []],
      ['/topic/featured', []],
      ['/topic/learning-center', []],
    ]);
  });

  it('have a thumbnail 300 wide, the title, the author and the short date in each item', async () => {
    await menuLists((list) => cmsPosts(1, list));
    const { text } = await request(site.origin).get('/about').expect(200);
    const items = [...text.matchAll(/<li class="menu-item">(.*?)<\/li>/gs)].map(([, item]) => item ?? '');
    expect(items).toHaveLength(7);
    for (const item of items) {
      expect(item).toMatch(/<img[^>]* src="[^"]+\/media\/posts\/[^"?]+\.jpg\?width=300"/);
      expect(item).not.toContain('srcSet');
      expect(textOf(item)).toBe('Post 1Ada QuillNov 20, 2026');
    }
  });

  it('say `Error: Error fetching data` where the call failed, and keep their See More links', async () => {
    await site.faults([{ path: '/api/post/leadership', kind: 'status', status: 500 }]);
    const { text } = await request(site.origin).get('/about').expect(200);
    const panel = text.slice(text.indexOf('id="menu-Leadership"'), text.indexOf('id="menu-Features"'));
    expect(panel).toMatch(/<p class="menu-failure">Error: Error fetching data<\/p>/);
    expect(text.match(/Error fetching data/g)).toHaveLength(1);
    expect(linksOf(panel).map(([href]) => href)).toEqual([
      '/topic/podcasts',
      '/topic/interview',
      '/topic/guest-author',
    ]);
  });

  it('are beside plain links to Events and Contact Us', async () => {
    const { text } = await request(site.origin).get('/about').expect(200);
    const header = text.slice(text.indexOf('<header'), text.indexOf('</header>'));
    expect(
      [...header.matchAll(/<button[^>]*class="menus-button"[^>]*>([^<]+)</g)].map(([, name]) => name),
    ).toEqual(['Latest', 'Leadership', 'Features']);
    expect(linksOf(header)).toEqual(
      expect.arrayContaining([
        ['/events', 'Events'],
        ['/contact-us', 'Contact Us'],
      ]),
    );
  });
});

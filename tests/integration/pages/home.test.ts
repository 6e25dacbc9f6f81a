import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cmsPosts } from '../../fixtures/cms-lists.ts';
import { createLogLines, type LogLines } from '../http/log-lines.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { headingOf, linksOf, mainOf, partOf, textOf } from './markup.ts';

let site: SiteUnderTest;
let log: LogLines;

beforeAll(async () => {
  log = createLogLines();
  site = await startSiteUnderTest({ CACHE_HOME_TTL: '0' }, { logger: log.logger });
});
afterAll(() => site.close());

beforeEach(async () => {
  await site.reset();
  log.clear();
});

const LISTS = [
  'homelatest',
  'homelatestnews',
  'homepopular',
  'homeinterview',
  'homequickbyte',
  'homearticle',
  'homepodcast',
] as const;
type List = (typeof LISTS)[number];

/** Returns a pattern for this call alone: a path without a star matches every path that begins with it. */
const pathOf = (list: List) => `/api/post/*${list}`;

/** Returns the home page's `main` when each list has eight posts with its own name, and `failing` responds with 500. */
async function home(failing: readonly string[] = []): Promise<string> {
  await site.faults([
    ...failing.map((path) => ({ path, kind: 'status' as const, status: 500 })),
    ...LISTS.map((list) => ({
      path: pathOf(list),
      kind: 'wrong-json' as const,
      body: cmsPosts(8, list),
    })),
  ]);
  return mainOf((await request(site.origin).get('/').expect(200)).text);
}

/** Returns the numbers of a list's posts that a part of the page links to, in order, without duplicates. */
function posts(markup: string, list: List): number[] {
  const links = linksOf(markup).flatMap(([href]) => {
    const number = new RegExp(`^/${list}/${list}-post-(\\d+)$`).exec(href)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return [...new Set(links)];
}

const part = (main: string, from: string, to: string) => main.slice(main.indexOf(from), main.indexOf(to));

describe('the home page', () => {
  it('has the heading Latest and its sections in the specified order', async () => {
    const main = await home();
    expect(headingOf(main)).toBe('Latest');
    const marks = [
      ...main.matchAll(
        /class="(top-block|podcast-feature|carousel|list-with-cards)[ "]|data-slot="([^"]+)"/g,
      ),
    ].map(([, section, slot]) => section ?? slot);
    expect(marks).toEqual([
      'top-block',
      'Home-2',
      'podcast-feature',
      'carousel',
      'list-with-cards',
      'list-with-cards',
      'Footer-3',
    ]);
  });

  it('renders one lead and two further stories: the first three of homelatest', async () => {
    const main = await home();
    const stories = part(main, 'top-block-stories', 'top-block-side');
    expect(posts(main, 'homelatest')).toEqual([1, 2, 3]);
    expect(stories.match(/post-card-lead/g)).toHaveLength(1);
    expect(posts(stories.split('top-block-secondary')[0] ?? '', 'homelatest')).toEqual([1]);
    expect(posts(stories.split('top-block-secondary')[1] ?? '', 'homelatest')).toEqual([2, 3]);
  });

  it('asks for the lead 700 wide, for the others 500, and for what is shown', async () => {
    const images = [...part(await home(), 'top-block-stories', 'top-block-side').matchAll(/<img[^>]*>/g)].map(
      ([image]) => image,
    );
    expect(images).toHaveLength(3);
    for (const [index, image] of images.entries()) {
      expect(image).toMatch(new RegExp(` src="[^"]+\\?width=${index === 0 ? 700 : 500}"`));
      expect(image).toContain(index === 0 ? ', calc(100vw - 32px)"' : ', 120px"');
      expect([...image.matchAll(/ (\d+)w/g)].map(([, width]) => width)).toEqual([
        '150',
        '300',
        '500',
        '700',
        '1000',
        '1200',
      ]);
      expect(image).toContain(`alt="homelatest-post-${index + 1}"`);
    }
  });

  it('has the tabs Latest (homelatestnews), chosen, and Popular (homepopular)', async () => {
    const main = await home();
    const tabs = [...main.matchAll(/role="tab"[^>]*aria-selected="(\w+)"[^>]*>([^<]+)</g)].map(
      ([, selected, name]) => `${name} ${selected}`,
    );
    expect(tabs).toEqual(['Latest true', 'Popular false']);
    const [, latest = '', popular = ''] = part(main, 'top-block-side', 'data-slot="Home-2"').split(
      'role="tabpanel"',
    );
    expect(posts(latest, 'homelatestnews')).toHaveLength(8);
    expect(posts(popular, 'homepopular')).toHaveLength(8);
  });

  it('features the first podcast, with Watch Now, and lists the others', async () => {
    const feature = partOf(await home(), 'section', 'podcast-feature');
    expect(linksOf(feature)).toContainEqual(['/homepodcast/homepodcast-post-1', 'Watch Now: Post 1']);
    expect(posts(feature.split('<ul')[1] ?? '', 'homepodcast')).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  it('says who paid for a post wherever it stands, and so does its link', async () => {
    const paid = (list: string) => cmsPosts(8, list).map((post) => ({ ...post, sponsor: 'Tarnwick' }));
    const columns = ['newsData', 'quickByteData'].map((name) => [name, paid('column')]);
    await site.faults([
      { path: '/api/post/latestPost', kind: 'wrong-json', body: Object.fromEntries(columns) },
      ...LISTS.map((list) => ({ path: pathOf(list), kind: 'wrong-json' as const, body: paid(list) })),
    ]);
    const page = (await request(site.origin).get('/').expect(200)).text;
    const links = page.match(/<a [^>]*href="\/(?:home\w+|column)\/[^>]*>/g) ?? [];
    expect(links.filter((link) => !link.includes('rel="sponsored"'))).toEqual([]);
    const watchNow = 1;
    expect(page.match(/(?<=[>\s])Sponsored by Tarnwick/g)).toHaveLength(links.length - watchNow);
  });

  it('has guest authors in a carousel whose columns are the other way round than on the tag page', async () => {
    const main = await home();
    const carousel = part(main, 'class="carousel"', 'list-with-cards');
    expect(posts(carousel, 'homeinterview')).toHaveLength(8);
    expect(carousel.match(/post-card-reversed/g)).toHaveLength(8);
    const tag = mainOf((await request(site.origin).get('/tag/customer-data').expect(200)).text);
    expect(tag).toContain('class="carousel"');
    expect(tag).not.toContain('post-card-reversed');
  });

  it('has quick bytes 2 to 4 as a side list, the rest as cards; articles 2 to 4 as a side list, 2 and 3 as cards', async () => {
    const main = await home();
    const [, quick = '', long = ''] = main.split(/class="list-with-cards is-\w+"/);
    for (const [markup, list, side, cards] of [
      [quick, 'homequickbyte', [2, 3, 4], [1, 5, 6, 7, 8]],
      [long, 'homearticle', [2, 3, 4], [2, 3]],
    ] as const) {
      const [beside = '', field = ''] = markup.split('class="list-with-cards-cards"');
      expect(posts(beside, list)).toEqual(side);
      expect(posts(field, list)).toEqual(cards);
    }
  });

  it('asks for card pictures 500 wide', async () => {
    const main = await home();
    const cards = main
      .slice(main.indexOf('class="carousel"'))
      .match(/<article class="post-card post-card-(large|row).*?<\/article>/gs)
      ?.filter((card) => /<img/.test(card) && !/width=200"/.test(card));
    expect(cards).toHaveLength(15);
    for (const card of cards ?? []) expect(card).toMatch(/ src="[^"]+\?width=500"/);
  });

  it('asks for the advertisement in its sidebar 400 wide', async () => {
    expect(await home()).toMatch(/data-slot="Home-2".*?<img[^>]* src="[^"]+\/ads\/[^"?]+\?width=400"/s);
  });

  it.each([
    ['homelatest', 'home latest'],
    ['homelatestnews', 'sidebar latest'],
    ['homepopular', 'sidebar popular'],
    ['homeinterview', 'home guest-author'],
    ['homequickbyte', 'home quickbytes'],
    ['homearticle', 'home featured'],
    ['homepodcast', 'home podcasts'],
  ] as const)('is there without %s when that fails, which is only logged', async (list, section) => {
    const main = await home([pathOf(list)]);
    expect(posts(main, list)).toEqual([]);
    for (const other of LISTS.filter((name) => name !== list))
      expect(posts(main, other), other).not.toEqual([]);
    expect(log.text()).toContain(`"section":"${section}"`);
    expect(textOf(main)).not.toMatch(/error|fail/i);
    expect(main.includes('class="carousel"')).toBe(list !== 'homeinterview');
    expect(main.includes('Loading...')).toBe(list === 'homepodcast');
    const saysSo = ['homelatest', 'homelatestnews', 'homepopular'].includes(list);
    expect(main.includes('No Posts Available')).toBe(saysSo);
  });

  it('is there without advertisements when they fail, which is only logged', async () => {
    const main = await home(['/api/advertisement/get_active']);
    expect(main).not.toContain('ad-slot');
    expect(posts(main, 'homelatest')).toEqual([1, 2, 3]);
    expect(log.text()).toContain('"section":"ads"');
  });
});

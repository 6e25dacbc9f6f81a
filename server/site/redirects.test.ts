import { describe, expect, it } from 'vitest';
import { readRedirects } from './redirects.ts';

async function read(...lines: string[]) {
  const mistakes: string[] = [];
  const find = await readRedirects(lines.join('\n'), (file, expected) => {
    mistakes.push(`${file}: ${expected}`);
  });
  return { find: (target: string) => find?.(target) ?? null, mistakes };
}

const { find, mistakes } = await read(
  '# Of the old site',
  '',
  '/old /news/new',
  '/moved https://www.example.com/here 302',
  '/kept /topic/news 308',
  '/gone - 410',
  '/gone-too 410',
  '/blog/* /news/*',
  '/blog/2019/* /topic/news',
  '/archiv* /topic/featured',
  '/?p=12 /news/twelve',
  '/stra%C3%9Fe /news/street',
  '/part /news/new#part',
);

describe('redirects', () => {
  it('are read without a mistake', () => expect(mistakes).toEqual([]));

  it.each([
    ['/old', 301, '/news/new'],
    ['/old/', 301, '/news/new'],
    ['/old?utm_source=x', 301, '/news/new?utm_source=x'],
    ['/moved', 302, 'https://www.example.com/here'],
    ['/kept', 308, '/topic/news'],
    ['/gone', 410, ''],
    ['/gone-too', 410, ''],
    ['/blog/a/b', 301, '/news/a/b'],
    ['/blog/a%20b/', 301, '/news/a%20b/'],
    ['/blog/2019/x', 301, '/topic/news'],
    ['/archive/1', 301, '/topic/featured'],
    ['/?p=12', 301, '/news/twelve?p=12'],
    ['/stra%c3%9fe', 301, '/news/street'],
    ['/part', 301, '/news/new#part'],
    ['/part?a=$&', 301, '/news/new?a=$&#part'],
  ])('%s is %d to %s', (target, status, location) => {
    const found = find(target);
    expect(found?.status).toBe(status);
    expect(found?.location.replace(/\?.*p=12$/, '')).toBe(location.replace(/\?.*p=12$/, ''));
  });

  it.each(['/', '/new', '/blo', '/?p=13', '/?utm=1&p=12', '/older', '/%zz', '//old'])(
    '%s is none',
    (target) => {
      expect(find(target)).toBeNull();
    },
  );

  it.each(['/wp//evil.example/x', '/wp///evil.example', '/wp/\\evil.example', '/wp//\\evil.example?a'])(
    'with a pattern lead from %s to a path of this site',
    async (target) => {
      const { find } = await read('/wp/* /*');
      expect(find(target)?.location).toMatch(/^\/evil\.example/);
    },
  );

  it('lead to the end of a chain at once, the patterns too', async () => {
    const chain = await read('/a /b 302', '/b /c', '/c /d', '/x/* /y/*', '/y/* /z/*', '/d - 410', '/e /b');
    expect(chain.mistakes).toEqual([]);
    expect(chain.find('/a')).toEqual({ status: 410, location: '' });
    expect(chain.find('/x/1')).toEqual({ status: 301, location: '/z/1' });
  });

  it('lead to the end of a chain at once, also from what a pattern fills in', async () => {
    const chain = await read('/w/* /topic/*', '/topic/old /news/new 302', '/topic/gone 410');
    expect(chain.find('/w/old?a=1')).toEqual({ status: 301, location: '/news/new?a=1' });
    expect(chain.find('/w/gone')).toEqual({ status: 410, location: '' });
    expect(chain.find('/w/other')).toEqual({ status: 301, location: '/topic/other' });
  });

  it('of a folder are not those of its own page, which a rule may lead to', async () => {
    const { find, mistakes } = await read('/blog/* /blog', '/topic/x/* /topic/x?page=1');
    expect(mistakes).toEqual([]);
    expect(find('/blog')).toBeNull();
    expect(find('/blog/a')?.location).toBe('/blog');
  });

  it('may be written in the letters of any script, also what leads on', async () => {
    const { find, mistakes } = await read(
      '/alt-ü /über',
      '/über /news/straße#größe',
      '/weit https://www.example.com/straße?q=ü',
    );
    expect(mistakes).toEqual([]);
    expect(find('/alt-%C3%BC')).toEqual({ status: 301, location: '/news/stra%C3%9Fe#gr%C3%B6%C3%9Fe' });
    expect(find('/weit')?.location).toBe('https://www.example.com/stra%C3%9Fe?q=%C3%BC');
    const { location = '' } = (await read('/x https://bücher.example/ü')).find('/x') ?? {};
    expect(location).toBe('https://b%C3%BCcher.example/%C3%BC');
    expect(new URL(location).host).toBe('xn--bcher-kva.example');
  });

  it('may have many steps', async () => {
    const { find, mistakes } = await read(...Array.from({ length: 50 }, (_, i) => `/${i} /${i + 1}`));
    expect(mistakes).toEqual([]);
    expect(find('/0')?.location).toBe('/50');
  });

  it.each([
    [['/%c3%a4/* /%C3%A4/b/*'], ['redirects.txt:1']],
    [
      ['/a /b', '/b /a'],
      ['redirects.txt:1', 'redirects.txt:2'],
    ],
    [['/a /a'], ['redirects.txt:1']],
    [['/a/* /a/b/*'], ['redirects.txt:1']],
    [
      ['/a/* /b/*', '/b/* /a/*'],
      ['redirects.txt:1', 'redirects.txt:2'],
    ],
  ])('%j lead in a circle, which is a mistake', async (lines, places) => {
    const { mistakes } = await read(...lines);
    expect(mistakes.map((line) => line.split(': ')[0])).toEqual(places);
    expect(mistakes[0]).toContain('circle');
  });

  it.each([
    'old /new',
    '/old',
    '/old new',
    '/old //evil.example',
    '/old/* https://new.example*',
    '/old /new 307',
    '/old /new 301 x',
    '/%zz /new',
    '/old?a=* /new',
    '/old/* /new/*#x',
    '/old/* /*/new',
  ])('%s is a mistake that names its line', async (line) => {
    expect((await read('/fine /x', line)).mistakes).toEqual([
      expect.stringMatching(/^redirects\.txt:2: .+ expected/),
    ]);
  });

  it('have one rule for a path', async () => {
    for (const same of ['/a', '/a/', '/%61'])
      expect((await read('/a /b', `${same} /c`)).mistakes).toEqual([
        expect.stringMatching(/^redirects\.txt:2: .*line 1/),
      ]);
    expect((await read('/a/* /b', '/a/ /c', '/a* /d')).mistakes).toEqual([]);
  });

  it('a hundred thousand are read, and found by pattern as well as by path', async () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => [
      `/2019/post-${i} /news/${i}`,
      `/tag-${i}/* /tag/${i}/*`,
    ]).flat();
    const { find, mistakes } = await read(...lines);
    expect(mistakes).toEqual([]);
    expect(find('/2019/post-49999')).toEqual({ status: 301, location: '/news/49999' });
    expect(find('/tag-77/a/b')).toEqual({ status: 301, location: '/tag/77/a/b' });
    expect(find('/tag-77')).toBeNull();
  });
});

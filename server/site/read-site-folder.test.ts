import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSite } from '#shared/site.ts';
import type { RenderHtml } from './markdown-pages.ts';
import { readSiteFolder } from './read-site-folder.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'site-folder-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
}

const read = (render: RenderHtml = (html) => ({ html, headings: [] })) =>
  readSiteFolder({
    dir,
    tokens: new Map(),
    headTags: '<link>',
    render,
    noIndex: false,
    builtIn: ['about', 'events'],
  });

/** Returns the lines of what is wrong. */
async function mistakesOf(files: Record<string, string | Buffer>): Promise<string[]> {
  write(files);
  return read().then(
    () => [],
    (error: Error) => error.message.split('\n'),
  );
}

describe('an empty folder', () => {
  it('has the default of everything', async () => {
    const { settings, module, head, redirect, csp, pages } = await read();
    expect(settings).toEqual(defaultSite);
    expect([module, head, redirect, csp, pages.size]).toEqual([null, '<link>', null, {}, 0]);
  });
});

describe('a file of root/', () => {
  it('has the media type of its ending, texts with their encoding; sound and film are downloads', async () => {
    const types = {
      'ads.txt': 'text/plain; charset=utf-8',
      'team.JPEG': 'image/jpeg',
      'plan.gif': 'image/gif',
      'logo.svg': 'image/svg+xml',
      'favicon.ico': 'image/vnd.microsoft.icon',
      'fair.ics': 'text/calendar; charset=utf-8',
      'rates.csv': 'text/csv; charset=utf-8',
      'chart.mjs': 'text/javascript; charset=utf-8',
      'site.webmanifest': 'application/manifest+json; charset=utf-8',
      'feed.xml': 'application/xml; charset=utf-8',
      'rates.pdf': 'application/pdf',
      'trailer.mp3': 'application/octet-stream',
      'apple-app-site-association': 'application/octet-stream',
    };
    write(Object.fromEntries(Object.keys(types).map((name) => [`root/${name}`, 'x'])));
    const { files } = await read();
    expect(Object.fromEntries(Array.from(files, ([path, { type }]) => [path.slice(1), type]))).toEqual(types);
  });
});

describe('a folder with many pages', () => {
  it('keeps no request waiting for more than one of them', async () => {
    write(
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`pages/p${index}.md`, '---\ntitle: X\n---\n']),
      ),
    );
    let turn = 0;
    const count = () => {
      turn++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const turns: number[] = [];
    await read((html) => {
      turns.push(turn);
      return { html, headings: [] };
    });
    clearImmediate(counting);
    expect([turns.length, new Set(turns).size]).toEqual([100, 100]);
  });
});

describe('a hostile folder', () => {
  it('has one line for each of a thousand mistakes, short and whole', async () => {
    const keys = Array.from({ length: 999 }, (_, index) => [`wrong${index}`, 1]);
    const lines = await mistakesOf({
      'site.json': JSON.stringify({ name: `x\n${'x'.repeat(100_000)}`, ...Object.fromEntries(keys) }),
    });
    expect(lines).toHaveLength(1_000);
    expect(lines).toContain('SITE_DIR/site.json: wrong998: no such key is known');
    for (const line of lines) expect(line).toMatch(/^SITE_DIR\/site\.json: (name|wrong\d+): .{1,150}$/);
  });

  it('gives away no file that begins with a dot, and has those of .well-known', async () => {
    write({ 'root/.env': 'SECRET', 'root/.git/config': 'x', 'root/.well-known/ä b.txt': 'y' });
    expect([...(await read()).files.keys()].filter((path) => !path.startsWith('/assets/'))).toEqual([
      '/.well-known/%C3%A4%20b.txt',
    ]);
  });

  it('is refused whole where it is larger than what fits in memory', async () => {
    expect(await mistakesOf({ 'root/film.png': Buffer.alloc(51 * 1024 * 1024) })).toEqual([
      'SITE_DIR/: at most 1000 files and 52428800 bytes expected, it has 1 and 53477376',
    ]);
  });

  it('has no file of root/ that would hide a page, of its own or built in', async () => {
    const page = '---\ntitle: Imprint\n---';
    const pages = { 'pages/imprint.md': page, 'pages/about.md': page };
    const files = { 'root/imprint': 'x', 'root/about': 'x', 'root/events': 'x', 'root/other': 'y' };
    expect(await mistakesOf({ ...pages, ...files })).toEqual(
      ['about', 'events', 'imprint'].map(
        (name) => `SITE_DIR/root/${name}: another name expected: a page has this address`,
      ),
    );
  });

  it('may have a byte order mark', async () => {
    write({
      'site.json': '\uFEFF{"name": "Weekly"}',
      'pages/a.md': '\uFEFF---\r\ntitle: A\r\n---\r\ntext',
      'pages/b.md': '---\ntitle: B\n---',
    });
    const { settings, pages } = await read();
    expect([settings.name, pages.get('a')?.html, pages.get('b')?.html]).toEqual([
      'Weekly',
      '<p>text</p>\n',
      '',
    ]);
  });

  it('may be made of links, as a ConfigMap is', async () => {
    write({ '..data/site.json': '{"name": "Linked"}', '..data/fonts/own font#1.woff2': 'x' });
    symlinkSync('..data/site.json', join(dir, 'site.json'));
    symlinkSync('..data/fonts', join(dir, 'fonts'));
    const { settings, files } = await read();
    expect(settings.name).toBe('Linked');
    expect(files.has('/assets/site/fonts/own%20font%231.woff2')).toBe(true);
  });
});

describe('a folder', () => {
  it('replaces what its site.json says, and nothing else', async () => {
    write({
      'site.json': JSON.stringify({ name: 'Weekly', phones: { helpline: '+1 202-555-0100' }, sisters: [] }),
    });
    const { settings } = await read();
    expect(settings).toMatchObject({
      name: 'Weekly',
      product: 'Weekly',
      phones: { helpline: '+1 202-555-0100', ccpa: null },
      sisters: [],
      // It shows the default name.
      shareImage: null,
    });
    expect(settings.tagline).toBe(defaultSite.tagline);
  });

  it('has the texts of its language, and says where there are none', async () => {
    write({ 'site.json': '{"language": "de-AT"}' });
    const { settings, warnings } = await read();
    expect([settings.texts?.['See More'], warnings]).toEqual(['Mehr', []]);
    write({ 'site.json': '{"language": "fr"}' });
    const french = await read();
    expect(french.settings.texts).toBeNull();
    expect(french.warnings).toEqual([
      'site.json: there are no texts in the language fr: those of the interface are English',
    ]);
  });

  it('keeps the newsletter’s address, and what else is not for browsers, out of the settings', async () => {
    const forms = { subscribe: { url: 'https://letters.example/add' } };
    write({ 'site.json': JSON.stringify({ name: 'Weekly', forms }) });
    const { settings, subscribeUrl, files, module } = await read();
    expect(subscribeUrl).toBe('https://letters.example/add');
    expect(settings.forms).toEqual(defaultSite.forms);
    expect(files.get(module ?? '')?.body.toString()).not.toContain('letters.example');
  });

  it('may frame advertisements: their origin is allowed', async () => {
    write({
      'site.json': JSON.stringify({ ads: { frame: 'https://ads.example/show/{slot}?x=1' } }),
      'csp.json': '{"frame-src": ["https://other.example"]}',
    });
    const { settings, csp } = await read();
    expect(settings.ads.frame).toBe('https://ads.example/show/{slot}?x=1');
    expect(csp['frame-src']).toEqual(['https://other.example', 'https://ads.example']);
  });

  it('has pages with front matter', async () => {
    write({
      'pages/imprint.md':
        '---\ntitle: "Imprint: who"\nfooter: policies\nsitemap: false\n---\n\n# Hello\n\n- one\n',
    });
    const { pages, settings } = await read();
    expect(pages.get('imprint')).toMatchObject({
      title: 'Imprint: who',
      date: null,
      html: '<h1>Hello</h1>\n<ul>\n<li>one</li>\n</ul>\n',
    });
    expect(settings.pages).toEqual([
      { name: 'imprint', title: 'Imprint: who', footer: 'policies', inSitemap: false },
    ]);
  });

  it('may hold a README and hidden files', async () => {
    expect(
      await mistakesOf({
        'README.md': 'x',
        '.git/config': 'x',
        'fonts/.keep': '',
        'root/.well-known/x.txt': 'y',
      }),
    ).toEqual([]);
    expect((await read()).files.get('/.well-known/x.txt')?.body.toString()).toBe('y');
  });
});

describe('a mistake', () => {
  it.each([
    ['site.json', '{"name": 1}', /^SITE_DIR\/site\.json: name: Invalid input: expected string/],
    ['site.json', '{"nmae": "x"}', /^SITE_DIR\/site\.json: nmae: no such key is known$/],
    ['site.json', '{\n"name": "x",\n}', /^SITE_DIR\/site\.json: JSON expected \(.*line 3/],
    ['site.json', '[]', /^SITE_DIR\/site\.json: the whole: /],
    [
      'site.json',
      '{"timeZone": "Europe/Nowhere"}',
      /timeZone: an IANA time zone such as Europe\/Berlin expected$/,
    ],
    ['site.json', '{"language": "French"}', /language: a language tag .* expected$/],
    ['site.json', '{"language": "de-CHE"}', /language: a language tag .* expected$/],
    [
      'site.json',
      '{"ads": {"frame": "https://a.example:99999/{slot}"}}',
      /ads\.frame: an https .* expected$/,
    ],
    ['site.json', '{"ads": {"frame": "a.example/{slot}"}}', /ads\.frame: an https .* expected$/],
    [
      'site.json',
      '{"sections": [{"slug": "News!", "label": "x"}]}',
      /sections\.0\.slug: a slug .* expected$/,
    ],
    [
      'site.json',
      '{"sections": [{"slug": "a", "label": "x"}, {"slug": "a", "label": "y"}]}',
      /sections: each slug once/,
    ],
    [
      'site.json',
      '{"sections": [{"slug": "a", "label": "x", "color": "red}"}]}',
      /sections\.0\.color: a CSS colour/,
    ],
    ['site.json', '{"ads": {"frame": "http://x.example/{slot}"}}', /ads\.frame/],
    ['site.json', '{"ads": {"frame": "https://x.example/"}}', /ads\.frame: .*\{slot\} in it expected$/],
    ['csp.json', '{"script-src": ["\'unsafe-inline\'"]}', /^SITE_DIR\/csp\.json: script-src\.0: .* source/],
    ['csp.json', '{"default-src": ["https://x.example"]}', /^SITE_DIR\/csp\.json: .*default-src/],
    ['redirects.txt', '\n/a', /^SITE_DIR\/redirects\.txt:2: /],
    ['pages/x.md', '# no front matter', /^SITE_DIR\/pages\/x\.md:1: front matter expected/],
    ['pages/x.md', '---\ntitle: X\ndate: yesterday\n---\n', /^SITE_DIR\/pages\/x\.md:3: date: /],
    ['pages/x.md', '---\ntitle: X\nwhat\n---\n', /^SITE_DIR\/pages\/x\.md:3: front matter expected/],
    ['pages/x.md', '---\ndescription: X\n---\n', /^SITE_DIR\/pages\/x\.md:1: title: /],
    ['pages/x.md', '---\ntitle: X\nauthor: Y\n---\n', /^SITE_DIR\/pages\/x\.md:3: author: no such key/],
    ['pages/events.md', '---\ntitle: X\n---\n', /^SITE_DIR\/pages\/events\.md: another name expected/],
    [
      'pages/My page.md',
      '---\ntitle: X\n---\n',
      /^SITE_DIR\/pages\/My page\.md: a name of lower-case letters/,
    ],
    ['logo.svg', 'no picture', /^SITE_DIR\/logo\.svg: a picture in the format SVG expected/],
    [
      'share.png',
      '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
      /^SITE_DIR\/share\.png: a picture in the format PNG/,
    ],
    ['theme.scss', '', /^SITE_DIR\/theme\.scss: one of the files of a site folder expected/],
  ])('in %s is named: %j', async (file, content, line) => {
    expect(await mistakesOf({ [file]: content })).toEqual([expect.stringMatching(line)]);
  });

  it('hides no other one', async () => {
    const lines = await mistakesOf({
      'site.json': '{"name": 1, "tagline": 2}',
      'redirects.txt': '/a',
      'pages/x.md': 'x',
      'redirect.txt': '/a /b',
    });
    expect(lines).toHaveLength(5);
  });

  it('is a folder that is not there', async () => {
    rmSync(dir, { recursive: true });
    await expect(read()).rejects.toThrow(/^SITE_DIR\/: a readable folder expected/);
    mkdirSync(dir);
  });
});

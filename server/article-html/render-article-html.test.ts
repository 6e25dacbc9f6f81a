import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textsOf } from '#shared/texts/languages.ts';
import { BLOCK_FIXTURES } from '../../tests/fixtures/article-blocks.ts';
import { assertSafeHtml, unsafeIn } from '../../tests/fixtures/assert-safe-html.ts';
import { HOSTILE_HTML } from '../../tests/fixtures/hostile-html.ts';
import { renderArticleHtml } from './render-article-html.ts';

const options = {
  imageHost: 'https://images.example.com/base',
  imagesServedBelow: null,
  publicOrigin: 'https://site.example.com',
};

function html(source: string): string {
  return renderArticleHtml(source, options).html;
}

const BLOCK_MARKUP = BLOCK_FIXTURES.map((fixture) => fixture.html);

const piece = fc.oneof(
  fc.constantFrom(...BLOCK_MARKUP),

  fc.constantFrom(...HOSTILE_HTML),
  fc.constantFrom(
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<a href="/x">',
    '</a>',
    '<table>',
    '</table>',
    '<td>',
    '<li>',
    '<pre>\n\n',
  ),
  fc.constantFrom(
    '<h1>',
    '<h2 id=a>',
    '</h2>',
    '<h3>',
    '<form>',
    '<object>',
    '<svg>',
    '</svg>',
    '<math>',
    '<mi>',
    '<title>',
  ),
  fc.constantFrom(
    '<!--',
    '-->',
    '"',
    "'",
    '>',
    '<',
    '&lt;',
    '&#13;',
    '\u0000',
    '<div class="table-scroll">',
    '<a href="#a">',
    '<a href="#t-a">',
    '<a href="#s-a">',
    '<a name="a">',
    '<p id="a">',
    '<p id="t-a">',
    '<li id="s-a">',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
);
const markup = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

describe('an article body', () => {
  it('lists what went with the host of its address, if that is of another site', () => {
    const addresses = ['//embed.example/a.js', 'https://b.example/', 'data:,x', '/own.js', ''];
    const { losses } = renderArticleHtml(
      addresses.map((src) => `<script src="${src}"></script>`).join(''),
      options,
    );
    expect(losses.map(({ host }) => host)).toEqual(['embed.example', 'b.example', null, null, null]);
  });

  it('is safe whatever hostile markup it came from', () => {
    for (const source of HOSTILE_HTML) assertSafeHtml(html(source));
  });

  it('is checked by a checker that fails on every unsanitised piece of the corpus', () => {
    expect(HOSTILE_HTML.length).toBeGreaterThan(80);
    expect(HOSTILE_HTML.filter((source) => unsafeIn(source) === null)).toEqual([]);
  });

  it('has no words of the author in place of those of the button that loads an embed', () => {
    for (const attributes of ['', ' class="b-embed"'])
      for (const inside of [
        '<p>x</p>',
        '<a href="https://a.example/">x</a>',
        '<a href="https://vimeo.com/1">x</a>',
      ])
        expect(html(`<figure data-embed="Sign in"${attributes}>${inside}</figure>`)).not.toContain('Sign in');
  });

  it('is safe, the same when cleaned again, and holds every listed heading, for any markup', () => {
    fc.assert(
      fc.property(markup, (source) => {
        const body = renderArticleHtml(source, options);
        assertSafeHtml(body.html);
        expect(body.reduced).not.toBe('unstable');
        const again = renderArticleHtml(body.html, options);
        expect(again).toMatchObject({ html: body.html, headings: body.headings });
        for (const { id } of body.headings) expect(body.html).toContain(` id="${id}"`);
        expect(new Set(body.headings.map(({ id }) => id)).size).toBe(body.headings.length);
      }),
      {
        numRuns: 400,
        // Each was rendered otherwise the second time.
        examples: [
          ['<a href="#a"><img src="https://a.example/1.png"><h2 id="a">'],
          ['<h1><p>A<a href="#f" id="r">1</a></p><ol><li id="f">B <a href="#r">↩︎</a></li></ol></h1>'],
          ['<pre><a href="#a">1</a><p id="a">2</p></pre>'],
        ],
      },
    );
  });

  it('keeps ordinary markup as it is', () => {
    const source =
      '<p>One <em>two</em> <strong>three</strong></p><ul><li>a</li></ul><blockquote><p>q</p></blockquote>';
    expect(html(source)).toBe(source);
  });

  it('keeps the text of containers and unknown elements', () => {
    expect(html('<section><p>a</p></section><form><p>b</p><input type=hidden></form><font>c</font>')).toBe(
      '<div><p>a</p></div><div><p>b</p></div>c',
    );
  });

  it.each([
    ['nested deeper than a browser nests', '<div>'.repeat(10_000), 'too-deep'],
    [
      'a flood of attributes',
      `<a ${Array.from({ length: 50_000 }, (_, n) => `a${n}=">"`).join(' ')}>`,
      'too-many-attributes',
    ],
    [
      'formatting whose attributes are repeated in every block',
      `<p><b ${Array.from({ length: 490 }, (_, n) => `a${n}`).join(' ')}></p>${'<p>x'.repeat(9_000)}`,
      'too-many-attributes',
    ],
    [
      'a flood of formatting',
      Array.from({ length: 9_000 }, (_, n) => `<p><b a=${n}></p>`).join(''),
      'too-many-elements',
    ],
    ['misnested tables', '<b><table></b></table>'.repeat(9_000), 'too-deep'],
    ['a flood of elements', '<p>x'.repeat(90_000), 'too-many-elements'],
    ['a flood of links', '<a href="/x">x</a> '.repeat(2_001), 'too-many-elements'],
    ['a flood of headings', '<h2>x</h2>'.repeat(1_001), 'too-many-elements'],
    ['a flood of pictures', '<img src="/x.jpg">'.repeat(1_001), 'too-many-elements'],
    ['a flood of frames', '<iframe></iframe>'.repeat(501), 'too-many-elements'],
    ['a flood of unknown elements', '<x-a src=/a.pdf></x-a>'.repeat(2_001), 'too-many-elements'],
    ['a flood of brackets', '<'.repeat(1_000_000), 'too-many-elements'],
  ])('keeps only the text of %s, in bounded time', (_, source, reduced) => {
    const start = process.threadCpuUsage();
    const body = renderArticleHtml(`<p>text</p>${source}`, options);
    expect(body.reduced).toBe(reduced);
    expect(body.html).toContain('text');
    assertSafeHtml(body.html);
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(2_000);
  });

  it.each([
    ['the address of an object', `<object data="https://a.example/${'a'.repeat(60_000)}"></object>`],
    ['a class', `<div class="${'show-'.repeat(25_000)}"></div>`],
    ['a data attribute', `<div data-x="${'a.jpg?'.repeat(25_000)}<"></div>`],
  ])('takes no time with the square of %s', (_what, source) => {
    const start = process.threadCpuUsage();
    html(source);
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(1_000);
  });

  const repeated = (part: string) => part.repeat(400_000 / part.length);
  it.each([
    ['a style', `<span style="${repeated('text-decoration:')}">text</span>`],
    ['the address of a picture', `<div data-a='${repeated('.jpg?')}"'></div>text`],
    ['a class', `<div class="${repeated('show-')}">text</div>`],
    ['the name of an attribute', `<div data-${repeated('bg')}\u2028="a">text</div>`],
    [
      'a shortcode',
      `${repeated(`[embed${' '.repeat(215)}https://${'a'.repeat(1_990)}${' '.repeat(300)}`)}text`,
    ],
  ])('takes no time with the square of %s', (_, source) => {
    const start = process.threadCpuUsage();
    expect(html(source)).toContain('text');
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(2_000);
  });

  const names = 'a name '.repeat(4_000);
  it.each([
    [
      'a caption',
      `<figure>${'<a href="b"><img src="a.png"></a>'.repeat(800)}<figcaption>${names}</figcaption></figure>`,
    ],
    ['a link', `<p><a href="b" title="${names}">${'</p><p><img src="a.png">'.repeat(800)}`],
    ['a link without words', `<p><a href="b" title="${names}">${'</p><p> '.repeat(800)}`],
    [
      'a recording',
      `<div class="kg-audio-card"><div class="kg-audio-title">${names}</div>${'<audio src="a.mp3"></audio>'.repeat(800)}</div>`,
    ],
    [
      'a table',
      `${'<table><tr><td>'.repeat(40)}<table><caption>${names}</caption></table>${'</td></tr></table>'.repeat(40)}`,
    ],
  ])('is not multiplied by the name of %s', (_, source) => {
    expect(html(source).length).toBeLessThan(600_000);
  });

  it('is whole whatever levels its items name', () => {
    const items = Array.from(
      { length: 5_000 },
      (_, level) => `<ul><li data-listid="1" data-aria-level="${level}">${level}</li></ul>`,
    );
    const { html, reduced } = renderArticleHtml(`<div><ol>${items.join('')}</ol></div>`, options);
    expect(reduced).toBeNull();
    expect(html).toContain('<li>4999</li>');
  });

  it('keeps the pictures, links and lines of what is nested too deeply', () => {
    const deep = `${'<div>'.repeat(300)}<p>a <a href="/x" title='5"'>b</a></p><img src="https://a.example/x.png" alt="c">`;
    const body = renderArticleHtml(deep, options);
    expect(body.reduced).toBe('too-deep');
    expect(body.html.trim()).toBe(
      '<p>a <a href="/x">b</a></p><img src="https://a.example/x.png" alt="c" loading="lazy" decoding="async">',
    );
  });

  it('reads at most 1 MiB and leaves out the tag that the cap falls into', () => {
    const source = `${'x'.repeat(1024 * 1024 - 3)}<img src="/late.jpg">`;
    const body = renderArticleHtml(source, options);
    expect(body.reduced).toBe('too-long');
    expect(body.html).toBe('x'.repeat(1024 * 1024 - 3));
  });
});

describe('headings of a body', () => {
  const source =
    '<h3>Early</h3><h1>Top</h1><h2>One</h2><h3>Sub</h3><h3>Sub</h3><h4>Deep</h4><h2>Two</h2><h3>Sub</h3><h2> </h2>';

  it('have a level below that of the heading they are under, and skip none, whatever their tag', () => {
    const levelsOf = (source: string) =>
      [...renderArticleHtml(source, options).html.matchAll(/<h(\d)([^>]*)>/g)].map(
        ([, tag, attributes]) => /aria-level="(\d)"/.exec(attributes ?? '')?.[1] ?? tag,
      );
    expect(levelsOf('<h3>a</h3><h3>b</h3><h4>c</h4>').join()).toBe('2,2,3');
    expect(levelsOf('<h1>a</h1><h2>b</h2><h4>c</h4><h2>d</h2><h4>e</h4><h4>f</h4>').join()).toBe(
      '2,2,3,2,3,3',
    );
    expect(levelsOf('<h2>a</h2><h3>b</h3><h4>c</h4>').join()).toBe('2,3,4');
    expect(levelsOf('<h2>a</h2><h5>b</h5><h6>c</h6><h3>d</h3><h6>e</h6>').join()).toBe('2,3,4,3,4');
  });

  it('are numbered by chapter and section, with an H1, an H4 and an early H3 unnumbered', () => {
    const { headings } = renderArticleHtml(source, options);
    expect(headings.map(({ level, number, text }) => `${level} ${number} ${text}`)).toEqual([
      '3 null Early',
      '1 null Top',
      '2 1. One',
      '3 1.1 Sub',
      '3 1.2 Sub',
      '4 null Deep',
      '2 2. Two',
      '3 2.1 Sub',
    ]);
  });

  it('get unique prefixed ids made of their text', () => {
    const { headings } = renderArticleHtml(source, options);
    expect(headings.map(({ id }) => id)).toEqual([
      's-early',
      's-top',
      's-one',
      's-sub',
      's-sub-2',
      's-deep',
      's-two',
      's-sub-3',
    ]);
  });

  it('turn an H1 into an h2 that keeps its rank when the result is parsed again', () => {
    const body = renderArticleHtml('<h1>Top</h1>', options);
    expect(body.html).toBe('<h2 data-rank="1" id="s-top">Top</h2>');
    expect(renderArticleHtml(body.html, options).headings).toEqual(body.headings);
  });

  it('without text are replaced by their content', () => {
    const empty = '<h2>&nbsp;</h2><h3><br></h3><h5></h5><h2><img src="https://a.example/x.png" alt=""></h2>';
    const body = renderArticleHtml(empty, options);
    expect(body.headings).toEqual([]);
    expect(body.html).toMatch(/^<img [^>]*>$/);
  });

  it('have the words that stay, when an empty block between them becomes a break', () => {
    const body = renderArticleHtml('<h2>a<p></p>b</h2>', options);
    expect(body).toMatchObject({ html: '<h2 id="s-a-b">a<br>b</h2>', headings: [{ text: 'a b' }] });
    expect(renderArticleHtml(body.html, options)).toMatchObject({ html: body.html, headings: body.headings });
  });

  it('have no sign of a link to themselves, nor its name', () => {
    const source =
      '<h2 id="a">One <a href="#a" aria-label="Permalink to One"><svg></svg></a></h2><h2 id="b">Two<a href="#b">¶</a></h2><h2>3 <a href="#a">One</a> <a href="#b"><img src="https://a.example/x.png"></a></h2>';
    const body = renderArticleHtml(source, options);
    expect(body.headings.map(({ text }) => text)).toEqual(['One', 'Two', '3 One']);
    expect(body.html).toContain('<img ');
    expect(renderArticleHtml(body.html, options)).toMatchObject({ html: body.html, headings: body.headings });
  });

  it('keep the mark of a note, which its note leads back to, and a film', () => {
    const source =
      '<h2 id="a">One<a href="#n">*</a> <a href="#m">[†]</a></h2><p id="n"><a href="#a">*</a> Note</p><h2><a href="#n"><video src="https://a.example/x.mp4"></video></a></h2>';
    const body = html(source);
    expect(body).toContain(
      '<h2 id="s-one">One<a href="#t-n">*</a> [†]</h2><p id="t-n"><a href="#s-one">*</a>',
    );
    expect(body).toContain('<video ');
  });

  it('without text are still reached by in-page links', () => {
    const body = html('<p><a href="#one">One</a></p><h2 id="one"><img src="/a.jpg" alt="One"></h2>');
    expect(body).toContain('<a href="#t-one">One</a>');
    expect(body).toMatch(/<a id="t-one"><\/a><img /);
  });

  it('are still reached by in-page links to their original id', () => {
    expect(html('<p><a href="#old">go</a></p><h2 id="old">Über uns</h2>')).toBe(
      '<p><a href="#s-%C3%BCber-uns">go</a></p><h2 id="s-über-uns">Über uns</h2>',
    );
  });
});

describe('links of a body', () => {
  it.each([
    ['https://a.example/x?y=1&amp;z', '<a href="https://a.example/x?y=1&#x26;z" rel="noopener">x</a>'],
    ['//a.example/x', '<a href="https://a.example/x" rel="noopener">x</a>'],
    ['/\\a.example', '<a href="https://a.example/" rel="noopener">x</a>'],
    ['/.//a.example', '<a href="/a.example">x</a>'],
    ['/news/x#y', '<a href="/news/x#y">x</a>'],
    ['/a/b.pdf', '<a href="https://images.example.com/base/a/b.pdf" rel="noopener">x</a>'],
    ['/a/b.xlsm', '<a href="https://images.example.com/base/a/b.xlsm" rel="noopener">x</a>'],
    ['/a/b.odt', '<a href="https://images.example.com/base/a/b.odt" rel="noopener">x</a>'],
    ['/base/a/b.pdf', '<a href="https://images.example.com/base/a/b.pdf" rel="noopener">x</a>'],
    ['https://site.example.com/news/x', '<a href="/news/x">x</a>'],
    ['http://site.example.com/news/x', '<a href="/news/x">x</a>'],
    ['https://site.example.com/a.pdf', '<a href="https://site.example.com/a.pdf" rel="noopener">x</a>'],
    ['/feed.xml', '<a href="/feed.xml">x</a>'],
    ['/events/a.ics', '<a href="/events/a.ics">x</a>'],
    ['mailto:a@b.example', '<a href="mailto:a@b.example">x</a>'],
    ['tel:+15550100', '<a href="tel:+15550100">x</a>'],
    ['javascript:alert(1)', 'x'],
    ['', 'x'],
  ])('to %s become %s', (href, expected) => {
    expect(html(`<a target="_blank" href="${href}">x</a>`)).toBe(expected);
  });
});

it('names a link that shows nothing but a picture without words: by its caption or its file', () => {
  const namesIn = (source: string) =>
    [...html(source).matchAll(/<a [^>]*>/g)].map(([tag]) => /aria-label="([^"]*)"/.exec(tag)?.[1] ?? null);
  const linked = (name: string, alt = '') =>
    `<a href="/p/${name}.jpg"><img src="/${name}.jpg" alt="${alt}"></a>`;
  const source =
    `${linked('k%200')}${linked('k1', 'Sales')}<a href="https://a.example/" title="A"><img src="/x.png"></a>` +
    `<figure>${linked('k2')}<figcaption>A <b>shelf</b></figcaption></figure><a href="/x" aria-label="no">x</a>` +
    '<div class="gallery"><img src="/g1.jpg" alt=""><figure><img src="/g2.jpg" alt=""><figcaption>Two</figcaption></figure></div>';
  expect(namesIn(source)).toEqual(['k 0.jpg', null, 'A', 'A shelf', null, 'g1.jpg', 'Two']);
  expect(html(html(source))).toBe(html(source));
});

describe('links within a body', () => {
  it('lead to footnotes and back', () => {
    const source =
      '<p>Text<sup id="ref1"><a href="#fn1">1</a></sup></p><ol><li id="fn1">Note <a href="#ref1">↩</a></li></ol>';
    expect(html(source)).toBe(source.replaceAll('id="', 'id="t-').replaceAll('href="#', 'href="#t-'));
  });

  it('lead to anchors by name, as word processors write them', () => {
    expect(html('<p><a href="#_n" name="_r">1</a></p><p><a name="_n"></a>Note <a href="#_r">↩</a></p>')).toBe(
      '<p><a href="#t-_n" id="t-_r">1</a></p><p><a id="t-_n"></a>Note <a href="#t-_r">↩</a></p>',
    );
  });

  it('lead to places of the page itself where they have its whole address', () => {
    const here = { ...options, page: '/news/one' };
    const source =
      '<p><a href="https://site.example.com/news/one/#A_b">1</a><a href="/news/one#n">2</a><a href="/news/two#n">3</a></p><h2 id="A_b">A b</h2><p id="n">Note <a class="up" href="http://site.example.com/news/one/#A_b"></a></p>';
    expect(renderArticleHtml(source, here).html).toBe(
      '<p><a href="#s-a-b">1</a><a href="#t-n">2</a><a href="/news/two#n">3</a></p><h2 id="s-a-b">A b</h2><p id="t-n">Note </p>',
    );
  });

  it('lead to a place that shows nothing', () => {
    expect(
      html(
        '<p><a href="#a">1</a><a href="#b">2</a><a href="#c">3</a></p><p><a name="a"></a></p><ul><li id="b"></li></ul><ol><li>x</li><li><b id="c"></b></li></ol>',
      ),
    ).toBe(
      '<p><a href="#t-a">1</a><a href="#t-b">2</a><a href="#t-c">3</a></p><a id="t-a"></a><a id="t-b"></a><ol><li>x</li><li><b id="t-c"></b></li></ol>',
    );
  });

  it('lead to the heading of the same words where a script would have made the target; one that leads nowhere is text', () => {
    expect(
      html(
        '<ul><li><a href="#elementor-toc__heading-anchor-0">1. On Filing</a></li><li><a href="#gone">2. Gone</a></li></ul><h2>On filing</h2><p><a href="#top">Up</a></p><h2>On filing</h2>',
      ),
    ).toBe(
      '<ul><li><a href="#s-on-filing">1. On Filing</a></li><li>2. Gone</li></ul><h2 id="s-on-filing">On filing</h2><p><a href="#top">Up</a></p><h2 id="s-on-filing-2">On filing</h2>',
    );
  });

  it('lead to the first of several places of one id, and other ids are removed', () => {
    expect(html('<p id="main"><a href="#x">x</a></p><p id="x">1</p><p id="x">2</p><a name="y">y</a>')).toBe(
      '<p><a href="#t-x">x</a></p><p id="t-x">1</p><p>2</p>y',
    );
  });
});

describe('images of a body', () => {
  it('of the image host are asked for at the widths of a page', () => {
    const rendered = html('<img src="figures/a.jpg?width=9" width="800" height="450" alt="A &amp; b">');
    expect(rendered).toContain('src="https://images.example.com/base/figures/a.jpg?width=1000"');
    expect(rendered).toContain('https://images.example.com/base/figures/a.jpg?width=500 500w');
    expect(rendered).toContain('alt="A &#x26; b" width="800" height="450" loading="lazy" decoding="async"');
  });

  it('pass through unchanged once they are rebuilt, whatever serves them', () => {
    const segment = fc.stringMatching(/^[\w.~%! ()-]{1,12}$/);
    const path = fc.array(fc.oneof(segment, fc.constantFrom('media', 'base', 'a b.jpg')), {
      minLength: 1,
      maxLength: 4,
    });
    const imageHost = fc.constantFrom(
      ...[
        'https://images.example.com',
        'https://images.example.com/base',
        'https://images.example.com/media/',
        '/media',
      ],
    );
    fc.assert(
      fc.property(
        path,
        imageHost,
        fc.constantFrom(null, '/media'),
        (segments, imageHost, imagesServedBelow) => {
          const host = { ...options, imageHost, imagesServedBelow };
          const source = `<p>a <b>b</b></p><img src="/${segments.join('/')}" alt="" width="800" height="450">`;
          const body = renderArticleHtml(source, host);
          expect(body.reduced).toBeNull();
          expect(body.html).toContain('<b>b</b>');
          expect(renderArticleHtml(body.html, host)).toMatchObject({ html: body.html, reduced: null });
        },
      ),
    );
  });

  it('name the width of a wide one, but not of those in a wide gallery', () => {
    const served = { ...options, imageHost: 'https://cms.example.com', imagesServedBelow: '/media' };
    const sizesOf = (source: string) => / sizes="([^"]*)"/.exec(renderArticleHtml(source, served).html)?.[1];
    const usual = sizesOf('<figure><img src="/a.jpg" width="900"></figure>');
    const wide = sizesOf('<figure class="alignwide"><img src="/a.jpg" width="900"></figure>');
    expect(wide).toMatch(/50vw/);
    expect(usual).not.toBe(wide);
    expect(
      sizesOf(
        '<figure class="wp-block-image alignfull"><a href="/a.jpg"><img src="/a.jpg" width="900"></a></figure>',
      ),
    ).toBe(wide);
    expect(
      sizesOf(
        '<figure class="wp-block-gallery alignwide"><figure class="wp-block-image"><img src="/a.jpg" width="900"></figure><figure class="wp-block-image"><img src="/b.jpg" width="900"></figure></figure>',
      ),
    ).toBe(usual);
  });

  it.each([null, '/media'])(
    'of unknown width have one candidate, which is drawn at its own size on every screen: %s',
    (imagesServedBelow) => {
      const host = { ...options, imagesServedBelow };
      const body = renderArticleHtml('<figure class="alignwide"><img src="/sig.png"></figure>', host);
      const [, src, srcSet, sizes] = / src="(.*?)" srcset="(.*?)" sizes="(.*?)"/.exec(body.html) ?? [];
      expect([src, srcSet, sizes]).toEqual([src, `${src} 1000w`, '1000px']);
      expect(renderArticleHtml(body.html, host)).toEqual(body);
    },
  );

  it('of a path that is also that of resized images come from below it', () => {
    const host = { ...options, imageHost: 'https://cms.example.com', imagesServedBelow: '/media' };
    const body = renderArticleHtml('<img src="/media/photos/a.jpg">', host);
    expect(body.html).toContain('src="/media/media/photos/a.jpg?width=1000"');
    expect(renderArticleHtml(body.html, host)).toEqual(body);
  });

  it('are linked, and stand before a video, where readers reach them and not where the CMS keeps them', () => {
    const figure = (name: string) => `<figure class="wp-block-image"><img src="/site/${name}.jpg"></figure>`;
    const source = `<figure class="wp-block-gallery">${figure('a')}${figure('b')}</figure><video poster="/site/c.png" src="https://a.example/v.mp4"></video><a href="/site/d.webp">Plan</a>`;
    for (const imageHost of ['http://127.0.0.1:4711/media', 'https://cms.example.com']) {
      const host = { ...options, imageHost, imagesServedBelow: '/media' };
      const body = renderArticleHtml(source, host);
      expect(body.html.match(/(?<=href="|poster=")[^"]*/g)).toEqual(
        ['a.jpg', 'b.jpg', 'c.png', 'd.webp'].map((file) => `/media/site/${file}?width=2000`),
      );
      expect(body.html).not.toContain('127.0.0.1');
      expect(renderArticleHtml(body.html, host)).toEqual(body);
    }
  });

  it.each([
    '/plan.svg',
    'https://cms.example.com/plan.svg',
    '/steps.gif',
    '//cms.example.com/steps.gif',
    '/thumb.php?src=a.jpg',
  ])('that resizing would lose or stop are read from their host: %s', (src) => {
    const host = { ...options, imageHost: 'https://cms.example.com', imagesServedBelow: '/media' };
    const body = renderArticleHtml(`<img src="${src}" width="400" height="300">`, host);
    expect(body.html).toBe(
      `<img src="https://cms.example.com/${src.split('/').at(-1)}" alt="" width="400" height="300" loading="lazy" decoding="async">`,
    );
    expect(renderArticleHtml(body.html, host)).toEqual(body);
  });

  it('that move are resized where browsers may not reach their host', () => {
    const host = { ...options, imageHost: 'http://wordpress', imagesServedBelow: '/media' };
    expect(renderArticleHtml('<img src="/steps.gif">', host).html).toContain(
      'src="/media/steps.gif?width=1000"',
    );
  });

  it('of other hosts keep their address, over https', () => {
    expect(html('<img src="http://a.example/x.png">')).toBe(
      '<img src="https://a.example/x.png" alt="" loading="lazy" decoding="async">',
    );
  });

  it('have the size in their name, also where they stood behind a block or in an object', () => {
    const source =
      '<img src="https://a.example/a-90x60.jpg"><div style="background:url(https://a.example/b-90x60.jpg)"><p>b</p></div><object data="https://a.example/c-90x60.jpg"></object>';
    expect(html(source).match(/\w-90x60.jpg" alt="" width="90" height="60"/g)).toHaveLength(3);
    expect(html(html(source))).toBe(html(source));
  });

  it.each([
    ['width="1024" height="683" style="width:100%;height:400px"', 'width="1024" height="683"'],
    ['width="1024" height="20" style="width:30px"', 'width="30" height="2"'],
    ['width="100%"', 'width="300" height="200"'],
    ['style="width:30px"', 'width="30" height="20"'],
  ])('have a size that stays when they are rendered again: %s', (attributes, size) => {
    const rendered = html(`<img src="https://a.example/a-300x200.jpg" ${attributes}>`);
    expect(/width="\d+" height="\d+"/.exec(rendered)?.[0]).toBe(size);
    expect(html(rendered)).toBe(rendered);
  });

  it('have the size that is written in pixels', () => {
    const source =
      '<img src="https://a.example/a.jpg" width="640px" height="360.5"><img src="https://a.example/b.jpg" style="width: 640px; height:360px"><img src="https://a.example/d.jpg" width="50%" height="20">';
    expect(
      html(source).match(/(?:class="[^"]*" )?src="[^"]*" alt=""(?: width="\d+" height="\d+")?/g),
    ).toEqual([
      'src="https://a.example/a.jpg" alt="" width="640" height="360"',
      'src="https://a.example/b.jpg" alt="" width="640" height="360"',
      'src="https://a.example/d.jpg" alt=""',
    ]);
    expect(html(html(source))).toBe(html(source));
  });

  it('have the width that their author chose, with the ratio of the file where that is known', () => {
    const source =
      '<img src="https://a.example/a.jpg" width="1024" height="683" style="width:300px"><img src="https://a.example/b.png" width="512" height="512" style="object-fit:cover;width:120px;height:120px"><img src="https://a.example/d-300x200.jpg" width="150"><img src="https://a.example/e.png" width="320"><img src="https://a.example/f.png" style="width:320px"><img src="https://a.example/g.svg" width="1" height="1" style="width: 300px">';
    expect(html(source).match(/\w+(?:-\w+)?\.\w{3}" alt=""(?: (?:width|height)="\d+")*/g)).toEqual([
      'a.jpg" alt="" width="300" height="200"',
      'b.png" alt="" width="120" height="120"',
      'd-300x200.jpg" alt="" width="150" height="100"',
      'e.png" alt="" width="320"',
      'f.png" alt="" width="320"',
      'g.svg" alt="" width="300"',
    ]);
    expect(html(html(source))).toBe(html(source));
  });

  it('that are tracking pixels or have no URL are removed', () => {
    expect(html('<img src="/a.gif" width=1 height=1><img><img src="data:image/gif;base64,x">')).toBe('');
  });

  it('stay where their size is that of no picture: a drawing of 1 pixel, a height of 0', () => {
    const source =
      '<img src="https://a.example/flow.svg" width="1" height="1"><img src="https://a.example/b.jpg" width="570" height="0"><img src="https://a.example/c.png" width="0" height="0">';
    expect(html(source)).toBe(
      '<img src="https://a.example/flow.svg" alt="" loading="lazy" decoding="async"><img src="https://a.example/b.jpg" alt="" loading="lazy" decoding="async">',
    );
  });
});

describe('code and tables of a body', () => {
  it('let code take the focus: it scrolls', () => {
    expect(html('<pre><code>x</code></pre>')).toBe('<pre tabindex="0"><code>x</code></pre>');
  });

  it('name the group of a table by its caption', () => {
    const table = '<table><tr><td>1</td></tr></table>';
    const source = `${table}<table><caption>Budget <b>2026</b></caption></table>${table}`;
    const names = [...html(source).matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name);
    expect(names).toEqual(['Table', 'Budget 2026', 'Table']);
  });

  it('put a table into a group that scrolls and takes the focus', () => {
    expect(html('<table><tr><td colspan="2" style="x">1</td></tr></table>')).toBe(
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td colspan="2">1</td></tr></tbody></table></div>',
    );
  });
});

it('writes its own words in the language of the site, and the same when it renders them again', () => {
  const german = { ...options, texts: textsOf('de') };
  const once = renderArticleHtml(
    '<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>' +
      '<iframe src="https://charts.example/1"></iframe><table><tr><td>1</td></tr></table>',
    german,
  ).html;
  for (const words of [
    'Video auf YouTube öffnen',
    'Video von YouTube laden',
    'Seite bei charts.example öffnen',
    'Tabelle',
  ])
    expect(once).toContain(words);
  expect(renderArticleHtml(once, german).html).toBe(once);
});

it('marks each link that leaves the site in a paid body as sponsored, once', () => {
  const paid = { ...options, isSponsored: true };
  const body =
    '<a href="https://a.example/">a</a><a href="https://b.example/" rel="sponsored nofollow">b</a><a href="/news/x">c</a><a href="mailto:a@b.example">d</a>';
  expect(renderArticleHtml(body, paid).html).toBe(
    '<a href="https://a.example/" rel="noopener sponsored">a</a><a href="https://b.example/" rel="noopener sponsored nofollow">b</a><a href="/news/x">c</a><a href="mailto:a@b.example">d</a>',
  );
  const { html } = renderArticleHtml('<audio src="http://a.example/a.mp3"></audio>', paid);
  expect(html).toContain('href="http://a.example/a.mp3" rel="noopener sponsored"');
  expect(renderArticleHtml(html, paid).html).toBe(html);
});

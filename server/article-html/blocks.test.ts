import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embedOf } from '#shared/embed-providers.ts';
import { BLOCK_FIXTURES, SOURCES, WITHOUT_MARKUP } from '../../tests/fixtures/article-blocks.ts';
import { assertSafeHtml } from '../../tests/fixtures/assert-safe-html.ts';
import { HOSTILE_HTML } from '../../tests/fixtures/hostile-html.ts';
import { renderArticleHtml } from './render-article-html.ts';

const options = {
  imageHost: 'https://images.example.com/base',
  imagesServedBelow: null,
  publicOrigin: 'https://site.example.com',
};

/** What is no media of the author: a sign of one letter, Ghost's spacer, a picture on which a player lies. */
const STAND_INS = ['1f600.png', 'spacer.png', 'preview.jpg'];

/** Returns names of files, and pages of embeds, that some markup refers to as media or links. */
function mediaIn(source: string): string[] {
  const addresses = [
    ...source.matchAll(
      /(?:\s(?:src|href|data|poster|background|url|data-(?:src|bg|thumbnail|kg-thumbnail|url))="|url\()['"]?([^"')]+)/g,
    ),
  ].map(([, value]) => String(value));
  return addresses.flatMap((address) => {
    const embed = embedOf(address);
    if (embed) return [embed.page];
    const [file] = /[^/]+\.(?:jpe?g|png|mp[34]|og[gv]|webm|vtt|pdf|xlsx|zip)(?=$|\?)/.exec(address) ?? [];
    return file === undefined || STAND_INS.includes(file) ? [] : [file];
  });
}

const base64 = (html: string) => Buffer.from(html).toString('base64');

describe('blocks of an article body', () => {
  it.each(BLOCK_FIXTURES.map(({ block, source, html, shows }) => [block, source, html, shows] as const))(
    '%s of %s is drawn as ours',
    (_block, _source, html, shows) => {
      const body = renderArticleHtml(html, options);
      let from = 0;
      for (const part of shows) {
        const at = body.html.indexOf(part, from);
        expect(at, `${part} after ${from} in ${body.html}`).toBeGreaterThanOrEqual(0);
        from = at + part.length;
      }
      assertSafeHtml(body.html);
      expect(body.reduced).toBeNull();
      expect(renderArticleHtml(body.html, options)).toMatchObject({
        html: body.html,
        headings: body.headings,
      });
    },
  );

  it('draws a picture once that stands behind a link and beside it', () => {
    const html =
      '<div><a href="/t" data-thumbnail="/figures/t.jpg"></a><img src="/figures/t.jpg" alt="T"></div>';
    expect(renderArticleHtml(html, options).html.match(/<img/g)).toHaveLength(1);
  });

  it('draws a picture once that stands behind words in another size', () => {
    const html = '<div style="background-image:url(/a-1024x768.jpg)">Words<img src="/a-300x200.jpg"></div>';
    expect(renderArticleHtml(html, options).html.match(/<img/g)).toHaveLength(1);
  });

  it('draws a video once that a noscript has without the second at which it starts', () => {
    const player = 'https://www.youtube.com/embed/abcdefghijk';
    const html = `<iframe src="${player}?start=5"></iframe><noscript><iframe src="${player}"></iframe></noscript>`;
    expect(renderArticleHtml(html, options).html.match(/<figure/g)).toHaveLength(1);
  });

  it.each(Object.entries(WITHOUT_MARKUP))(
    '%s has a fixture of each source that writes it',
    (block, missing) => {
      const written = BLOCK_FIXTURES.filter((fixture) => fixture.block === block).map(({ source }) => source);
      expect(SOURCES.filter((source) => !written.includes(source))).toEqual(Object.keys(missing));
    },
  );

  it.each([
    ['a link that shows only an icon', '<p><a href="https://a.example/x"><!-- icon --><i></i></a></p>'],
    ['the sign of a cell', '<table><tr><td><!-- --><i class="fa fa-check"></i></td></tr></table>'],
    ['what a script would load', '<div data-src="https://a.example/chart"><!-- --></div>'],
  ])('are read as without comments: %s', (_what, commented) => {
    const plain = renderArticleHtml(commented.replace(/<!--.*?-->/g, ''), options);
    expect(renderArticleHtml(commented, options)).toEqual(plain);
    expect(plain.html).toMatch(/a\.example|✓/);
  });

  it('hold the address of a shortcode alone, whatever words follow it', () => {
    const { html } = renderArticleHtml(
      '<p>[embed]https://youtu.be/abcdefghijk[/embed] shows it.</p>[embed]https://a.example/x[/embed]One\n\nTwo',
      options,
    );
    expect(html).toContain('href="https://www.youtube.com/watch?v=abcdefghijk"');
    expect(html).toContain('<p> shows it.</p><p><a href="https://a.example/x" rel="noopener">');
    expect(html).toContain('<p>One</p><p>Two</p>');
  });

  it('lose no media: what goes in comes out, as itself or as a link', () => {
    for (const { html } of BLOCK_FIXTURES) {
      const out = mediaIn(renderArticleHtml(html, options).html.replaceAll('&#x26;', '&'));
      for (const file of mediaIn(html)) expect(out).toContain(file);
    }
  });

  it('lose no words, pictures, players and links of editors and page builders that no row knows', () => {
    const source =
      '<div class="tc-table"><div class="tc-row"><div class="tc-cell">One</div></div></div><div class="ql-code-block-container"><div class="ql-code-block">Two</div></div>' +
      '<figure data-trix-attachment="{}"><img src="/3.jpg" alt="3"><figcaption class="attachment__caption">Three</figcaption></figure><table class="tr-caption-container"><tr><td><img src="/4.jpg" alt="4"></td></tr><tr><td class="tr-caption">Four</td></tr></table>' +
      '<div class="graf--mixtapeEmbed"><a href="https://a.example/5"><strong>Five</strong></a></div><a class="bookmark" href="https://a.example/6"><div class="bookmark-title">Six</div><img class="bookmark-image" src="/6.jpg" alt=""></a>' +
      `<div class="tweet" data-attrs='{"url":"https://x.com/ada/status/7"}'></div><div class="yt-facade" data-facadesrc="https://youtu.be/abcdefghij8"><img src="/8.jpg" alt=""></div>` +
      '<div class="embed-privacy-container"><a href="https://vimeo.com/900000">Nine</a></div><div class="elementor-price-table__original-price">$10</div><div class="vc_row"><div>Eleven</div><div>Twelve</div></div><a href="https://l.facebook.com/l.php?u=x">Thirteen</a>';
    const { html, losses } = renderArticleHtml(source, options);
    for (const file of mediaIn(source)) expect(html).toContain(file);
    for (const word of 'One Two Three Four Five Six Nine $10 Eleven Twelve Thirteen'.split(' '))
      expect(html).toContain(word);
    for (const page of [
      'a.example/5',
      'a.example/6',
      'x.com/ada/status/7',
      'watch?v=abcdefghij8',
      'facebook',
    ])
      expect(html).toContain(page);
    expect(losses).toEqual([]);
  });

  it('lose no picture, player or frame that has itself the class of a block', () => {
    const written = BLOCK_FIXTURES.map(({ html }) => html).join('');
    const names = new Set(
      [...written.matchAll(/class="([^"]*)"/g)].flatMap(([, list = '']) => list.split(' ')),
    );
    // Frames that repeat the card before them, and players that lie over others.
    for (const name of ['wp-embedded-content', 'kg-video-container']) names.delete(name);
    for (const name of names) {
      const source = `<p>a</p><iframe class="${name}" src="https://frames.example/a.zip"></iframe><img class="${name}" src="https://pictures.example/b.png"><video class="${name}" src="/c.mp4"></video><audio class="${name}" src="/d.mp3"></audio><p>b</p>`;
      const { html } = renderArticleHtml(source, options);
      for (const file of mediaIn(source)) expect(html, name).toContain(file);
    }
  });

  it.each([
    ['callout', '<div class="kg-callout-card"><div class="kg-callout-emoji">'],
    ['callout with text', '<div class="kg-callout-card"><div class="kg-callout-emoji kg-callout-text">'],
    ['toggle', '<div class="kg-toggle-card"><div class="kg-toggle-content"><div class="kg-toggle-heading">'],
    [
      'bookmark',
      '<div class="kg-bookmark-card"><a href="/a"></a><div class="kg-bookmark-title kg-bookmark-description kg-bookmark-author">',
    ],
    [
      'file',
      '<div class="kg-file-card"><object><a href="/a.pdf"><div class="kg-file-card-title kg-file-card-caption">',
    ],
    [
      'product',
      '<div class="kg-product-card"><div class="kg-product-card-description"><div class="kg-product-card-title">',
    ],
    [
      'button of a product',
      '<div class="kg-product-card"><div class="kg-product-card-description"><div class="kg-product-card-button">',
    ],
    ['recording', '<div class="kg-audio-card"><figcaption>'],
  ])('say nothing twice, however often a %s stands in a part of itself', (_, opened) => {
    const source = `${opened.repeat(12)}word<audio src="/a.mp3"></audio>`;
    const { html } = renderArticleHtml(source, options);
    expect(html.match(/word/g) ?? []).toHaveLength(1);
    expect(html.match(/<audio/g)?.length ?? 0).toBeLessThan(2);
  });

  it('lose no media and stay stable however they are nested and repeated', () => {
    const block = fc.constantFrom(
      ...BLOCK_FIXTURES.filter(({ block }) => block !== 'shells').map(({ html }) => html),
    );
    const wrapper = fc.constantFrom(
      'div',
      'section',
      'blockquote',
      'li',
      'details',
      'aside',
      'figure',
      'em',
      'b',
    );
    const nested = fc
      .array(fc.tuple(wrapper, block, block), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.map(([name, a, b]) => `<${name}>${a}${b}</${name}>`).join(''))
      .chain((html) => fc.constantFrom(html, `<table><tr><td>${html}</td></tr></table>`));
    fc.assert(
      fc.property(nested, (source) => {
        const body = renderArticleHtml(source, options);
        assertSafeHtml(body.html);
        expect(body.reduced).toBeNull();
        expect(renderArticleHtml(body.html, options)).toMatchObject({ html: body.html });
        const out = mediaIn(body.html.replaceAll('&#x26;', '&'));
        for (const file of mediaIn(source)) expect(out).toContain(file);
      }),
      { numRuns: 60 },
    );
  });

  it('let nothing hostile in', () => {
    for (const [index, { html }] of BLOCK_FIXTURES.entries()) {
      const end = html.lastIndexOf('</');
      for (const hostile of HOSTILE_HTML.filter((_, at) => at % 8 === index % 8)) {
        const body = renderArticleHtml(html.slice(0, end) + hostile + html.slice(end), options);
        assertSafeHtml(body.html);
        expect(body.reduced).toBeNull();
      }
      const poisoned = html.replaceAll(
        /(src|href|data|data-src|poster|cite|srcset)="[^"]*"/g,
        '$1="javascript:alert(1)"',
      );
      assertSafeHtml(renderArticleHtml(poisoned, options).html);
      const quoted = html.replaceAll(/"(https?:[^"]*)"/g, "'$1\"><img src=x onerror=alert(1)>'");
      assertSafeHtml(renderArticleHtml(quoted, options).html);
    }
  });

  it.each([
    [
      'a button its words',
      '<h2><button type="button"><b>Why?</b><span aria-hidden="true">+</span></button></h2><p><button>One</button><button>Two</button></p>',
      '<h2 id="s-why"><b>Why?</b> </h2><p>One Two </p>',
    ],
    ['an open dialog its words', '<dialog open><p>a</p></dialog><dialog>b</dialog>', '<div><p>a</p></div>'],
    [
      'a list within a list its item',
      '<ul><li>a</li><ul><li>b</li></ul></ul><ol><ol><li>c</li></ol></ol>',
      '<ul><li>a<ul><li>b</li></ul></li></ul><ol><li><ol><li>c</li></ol></li></ol>',
    ],
    [
      'a link its address, however its scheme is written',
      '<a href=" https://a.example/">a</a><a href="\nHTTPS://a.example/">b</a><a href="MAILTO:a@b.example">c</a><a href=" JavaScript:x">d</a>',
      '<a href="https://a.example/" rel="noopener">a</a><a href="https://a.example/" rel="noopener">b</a><a href="mailto:a@b.example">c</a>d',
    ],
    [
      'a span its language and direction',
      '<p><span lang="fr">a</span><span dir="rtl" lang="he" class="alignleft">b</span><span lang="!">c</span><span class="x">d</span></p>',
      '<p><span lang="fr">a</span><span dir="rtl" lang="he">b</span>cd</p>',
    ],
    [
      'a typeset formula once',
      '<p><span class="katex"><span class="katex-mathml"><math><mi>x</mi></math></span><span class="katex-html" aria-hidden="true">x</span></span><mjx-container><mjx-math aria-hidden="true">y</mjx-math><mjx-assistive-mml><math><mi>y</mi></math></mjx-assistive-mml></mjx-container></p>',
      '<p><math><mi>x</mi></math><math><mi>y</mi></math></p>',
    ],
    [
      'a long formula the focus',
      '<math tabindex="3"><mi>a</mi></math><math><mtext>a</mtext><mo>+</mo><mtext>aLongNameOfAVariable</mtext></math>',
      '<math><mi>a</mi></math><math tabindex="0"><mtext>a</mtext><mo>+</mo><mtext>aLongNameOfAVariable</mtext></math>',
    ],
    [
      'a heading the anchor that stands in it',
      '<p><a href="#One_a">1</a></p><h2><span id="One_a"></span>One</h2>',
      '<p><a href="#s-one">1</a></p><h2 id="s-one">One</h2>',
    ],
    [
      'an image without an address its words, once',
      '<p><img src="cid:1" alt="Sales"></p><img src="data:image/gif;base64,AA" alt="Lazy"><noscript><img src="https://a.example/l.png" alt="Lazy"></noscript>',
      '<p>Sales</p><img src="https://a.example/l.png" alt="Lazy" loading="lazy" decoding="async">',
    ],
    [
      'a video of Ghost its poster',
      '<figure class="kg-video-card" data-kg-thumbnail="https://m.example/t.jpg"><video src="https://m.example/a.mp4" poster="https://img.spacergif.org/v1/1x1/0a/spacer.png"></video></figure>',
      '<figure><video controls preload="none" title="a.mp4" poster="https://m.example/t.jpg" playsinline><source src="https://m.example/a.mp4"></video></figure>',
    ],
    [
      'a player its page, and no picture of the provider’s beside it, which would tell who reads',
      '<div class="yt-facade" data-facadesrc="https://www.youtube.com/embed/abcdefghijk?autoplay=1"><img src="https://i.ytimg.com/vi/abcdefghijk/0.jpg" alt="Player"><button aria-label="Play"><svg></svg></button></div><div data-url="https://youtu.be/abcdefghijk"><img src="https://a.example/1.png" alt=""><img src="https://a.example/2.png" alt=""></div>',
      '<div><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure></div><div><img src="https://a.example/1.png" alt="" loading="lazy" decoding="async"><img src="https://a.example/2.png" alt="" loading="lazy" decoding="async"></div>',
    ],
    [
      'a player in a noscript its page, and a link that a script would make a pin its host',
      '<div data-src="https://www.youtube.com/embed/abcdefghijk"><div><img src="https://i.ytimg.com/vi/abcdefghijk/0.jpg" alt="Video"></div></div><noscript><iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe></noscript><a data-pin-do="embedPin" href="https://www.pinterest.com/pin/1/"></a>',
      '<figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><a href="https://www.pinterest.com/pin/1/" rel="noopener">www.pinterest.com</a>',
    ],
    [
      'posts of Facebook with words of their own their player, and of Reddit spaces beside its links',
      '<div class="fb-video" data-href="https://www.facebook.com/a/videos/123/"><blockquote class="fb-xfbml-parse-ignore"><a href="https://www.facebook.com/a/videos/123/">V</a></blockquote></div><blockquote class="reddit-embed-bq"><a href="https://www.reddit.com/r/x/comments/1/y/">Title</a><br> by<a href="https://www.reddit.com/user/u/">u/u</a></blockquote>',
      '<figure class="b-embed b-embed-post" data-embed="Load the post from Facebook"><p>V</p><a href="https://www.facebook.com/a/videos/123" rel="noopener">Open the post on Facebook</a></figure><blockquote class="b-post"><a href="https://www.reddit.com/r/x/comments/1/y/" rel="noopener">Title</a><br> by <a href="https://www.reddit.com/user/u/" rel="noopener">u/u</a></blockquote>',
    ],
    [
      'a picture of a gallery its file where its link leads to its page at the WordPress',
      '<figure class="wp-block-gallery"><figure class="wp-block-image"><a href="https://cms.example/p1/"><img src="https://cms.example/1.jpg" alt="1"></a></figure><figure class="wp-block-image"><a href="https://a.example/"><img src="https://cms.example/2.jpg" alt="2"></a></figure></figure>',
      '<figure class="b-gallery"><figure><a href="https://cms.example/1.jpg" rel="noopener"><img src="https://cms.example/1.jpg" alt="1" loading="lazy" decoding="async"></a></figure><figure><a href="https://a.example/" rel="noopener"><img src="https://cms.example/2.jpg" alt="2" loading="lazy" decoding="async"></a></figure></figure>',
    ],
    [
      'a player of JW its page, whichever of its hosts has the script',
      '<script src="https://content.jwplatform.com/players/a1-b2.js"></script>',
      '<a class="b-open" href="https://cdn.jwplayer.com/players/a1-b2.html" rel="noopener">Open the page at cdn.jwplayer.com</a>',
    ],
    [
      'a picture once whose twin without scripts has another size, format or query',
      '<img data-src="https://a.example/1.jpg.webp"><noscript><img src="https://a.example/1.jpg"></noscript><img data-lazy-src="https://a.example/2.jpg?w=9&amp;pending=1"><noscript><img src="https://a.example/2.jpg?w=9"></noscript><img data-src="https://a.example/3-90x60.png"><noscript><img src="https://a.example/3.png"><img src="https://a.example/4.png"></noscript>',
      '<img src="https://a.example/1.jpg.webp" alt="" loading="lazy" decoding="async"><img src="https://a.example/2.jpg?w=9&#x26;pending=1" alt="" loading="lazy" decoding="async"><img src="https://a.example/3-90x60.png" alt="" width="90" height="60" loading="lazy" decoding="async"><img src="https://a.example/4.png" alt="" loading="lazy" decoding="async">',
    ],
    [
      'a reader no field that is for robots alone, and code no copy that is for its button',
      '<form><label style="display: none !important;">Leave this empty: <input></label><p>News</p></form><p style="display:none">Tab</p><pre aria-hidden="true"><textarea aria-hidden="true" readonly>a()</textarea></pre><pre>a()</pre>',
      '<div><p>News</p></div><p>Tab</p><pre tabindex="0">a()</pre>',
    ],
    [
      'what Borlabs Cookie keeps until a reader agrees',
      `<div class="BorlabsCookie"><div class="_brlbs-content-blocker"><p>Agree <a href="/agree">to load</a></p></div><div data-borlabs-cookie-type="content-blocker"><script type="text/template">${base64('<p>é</p><iframe src="https://youtu.be/abcdefghijk"></iframe>')}</script></div></div><div data-borlabs-cookie-content="${base64('<p>b<script>c()</script></p>')}"><p>Agree</p></div>`,
      '<p>é</p><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><p>b</p>',
    ],
    [
      'a reader no link to a frame that only counts',
      '<p>a</p><noscript><iframe src="https://tags.example/ns.html" title="Tags" height="0" width="0"></iframe></noscript><iframe src="https://a.example/1" width="0" height="400"></iframe>',
      '<p>a</p><a class="b-open" href="https://a.example/1" rel="noopener">Open the page at a.example</a>',
    ],
    [
      'no letters in place of icons',
      '<p><i class="star">&#xE934;</i> 4.5</p><p>Like \uF8FF this</p><span class="et-pb-icon">9</span><a href="https://a.example/">&#xe093;</a>',
      '<p> 4.5</p><p>Like  this</p><a href="https://a.example/" rel="noopener">a.example</a>',
    ],
    [
      'a podcast no labels of its player',
      '<div class="castos-player"><button class="play-btn"><span>Play Episode</span></button><button class="player-btn player-btn__rwd">Rewind</button><button class="share-btn">Share</button><audio src="https://m.example/1.mp3"></audio></div>',
      '<figure><audio controls preload="none" title="1.mp3"><source src="https://m.example/1.mp3"></audio></figure>',
    ],
    [
      'a picture before a video of Elementor its place',
      `<div data-settings='{"background_video_link":"https:\\/\\/youtu.be\\/abcdefghijk"}'><img src="https://a.example/1.png" alt=""></div>`,
      '<div><img src="https://a.example/1.png" alt="" loading="lazy" decoding="async"></div>',
    ],
    [
      'a list its letters',
      '<ol style="list-style-type:upper-alpha"><li>a</li></ol><ol style="list-style-type: decimal"><li>b</li></ol>',
      '<ol type="A"><li>a</li></ol><ol><li>b</li></ol>',
    ],
    [
      'a reader no pixel that is hidden by style',
      '<p>a<img src="https://a.example/1.gif" style="width:1px;height:1px"><img src="https://a.example/2.gif" style="min-width: 0px"></p>',
      '<p>a<img src="https://a.example/2.gif" alt="" loading="lazy" decoding="async"></p>',
    ],
    [
      'a player its page that a consent manager keeps, and a link to one its page',
      '<div data-service="youtube" data-id="abcdefghijk"></div><div class="embed-privacy-container"><p>Agree to our <a href="https://a.example/policy">policy</a></p><a href="https://vimeo.com/123456">Open directly</a></div><a href="https://youtu.be/abcdefghijk" role="button"><span></span></a><p><a href="https://open.spotify.com/show/abcdefghijklmnopqrstuv" aria-label="Spotify"><svg></svg></a></p>',
      '<figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><p>Agree to our <a href="https://a.example/policy" rel="noopener">policy</a></p><div><a href="https://vimeo.com/123456" rel="noopener">Open directly</a></div><a href="https://youtu.be/abcdefghijk" rel="noopener">youtu.be</a><p><a href="https://open.spotify.com/show/abcdefghijklmnopqrstuv" rel="noopener">Spotify</a></p>',
    ],
    [
      'a recording or a picture its own element where an object or a player of a plugin shows it, and a frame its page',
      '<presto-player src="https://m.example/1.mp4" poster="https://m.example/1.jpg"></presto-player><embed src="https://m.example/2.mp3"><object data="https://m.example/3.png" title="Three">No picture</object><iframe src="https://m.example/File:4.webm?play"></iframe>',
      '<video controls preload="none" title="1.mp4" poster="https://m.example/1.jpg" playsinline><source src="https://m.example/1.mp4"></video><audio controls preload="none" title="2.mp3"><source src="https://m.example/2.mp3"></audio><img src="https://m.example/3.png" alt="Three" loading="lazy" decoding="async"><a class="b-open" href="https://m.example/File:4.webm?play" rel="noopener">Open the page at m.example</a>',
    ],
    [
      'a picture the address that a slider hides, and none that a script names by a variable',
      '<img data-lazy="https://a.example/1.jpg"><img data-splide-lazy="https://a.example/2.jpg"><div class="wp-lightbox-overlay"><img src="https://a.example/3.jpg"></div><p>a<img data-wp-bind--src="state.currentSrc"></p>',
      '<img src="https://a.example/1.jpg" alt="" loading="lazy" decoding="async"><img src="https://a.example/2.jpg" alt="" loading="lazy" decoding="async"><p>a</p>',
    ],
    [
      'an address alone its link in a block of Jetpack, and an accordion no word of its icon',
      '<div class="wp-block-jetpack-pinterest">https://www.pinterest.com/pin/1/</div><div class="fl-accordion-button"><a href="#">Why?</a><a href="#" class="fl-accordion-button-icon"><i><span class="sr-only">Expand</span></i></a></div>',
      '<p><a href="https://www.pinterest.com/pin/1/" rel="noopener">https://www.pinterest.com/pin/1/</a></p><div>Why?</div>',
    ],
    [
      'galleries of Divi, Beaver Builder and CoBlocks theirs',
      '<div class="et_pb_gallery_items"><div><img src="https://a.example/1.jpg" alt="1"></div><div><img src="https://a.example/2.jpg" alt="2"></div></div><div class="fl-mosaicflow-content"><div><img src="https://a.example/1.jpg" alt="1"></div><div><img src="https://a.example/2.jpg" alt="2"></div></div><div class="coblocks-gallery"><div><img src="https://a.example/1.jpg" alt="1"></div><div><img src="https://a.example/2.jpg" alt="2"></div></div>',
      '<figure class="b-gallery"><figure><a href="https://a.example/1.jpg" rel="noopener"><img src="https://a.example/1.jpg" alt="1" loading="lazy" decoding="async"></a></figure><figure><a href="https://a.example/2.jpg" rel="noopener"><img src="https://a.example/2.jpg" alt="2" loading="lazy" decoding="async"></a></figure></figure><figure class="b-gallery"><figure><a href="https://a.example/1.jpg" rel="noopener"><img src="https://a.example/1.jpg" alt="1" loading="lazy" decoding="async"></a></figure><figure><a href="https://a.example/2.jpg" rel="noopener"><img src="https://a.example/2.jpg" alt="2" loading="lazy" decoding="async"></a></figure></figure><figure class="b-gallery"><figure><a href="https://a.example/1.jpg" rel="noopener"><img src="https://a.example/1.jpg" alt="1" loading="lazy" decoding="async"></a></figure><figure><a href="https://a.example/2.jpg" rel="noopener"><img src="https://a.example/2.jpg" alt="2" loading="lazy" decoding="async"></a></figure></figure>',
    ],
    [
      'a post of Telegram its page, and a video of Video.js its file',
      '<script async src="https://telegram.org/js/telegram-widget.js?22" data-telegram-post="ledger/12"></script><video-js><source src="https://m.example/1.mp4"></video-js>',
      '<a class="b-open" href="https://t.me/ledger/12" rel="noopener">Open the page at t.me</a><video controls preload="none" title="1.mp4" playsinline><source src="https://m.example/1.mp4"></video>',
    ],
    [
      'a number that a script would count up to',
      '<p>$<span class="elementor-counter-number" data-to-value="1250" data-from-value="40">40</span>M</p>' +
        '<div class="kb-count-up" data-start="0" data-end="98.6" data-prefix="~" data-suffix="°F"><div class="kb-count-up-number"></div><p>Degrees</p></div>' +
        '<div data-number-value="80"><p><span class="percent-value"></span><span>%</span></p></div>' +
        '<p class="step-number" data-target="2">1</p><p class="page-number" data-end="#a"></p><table><tr><td class="number" data-value="7">0</td></tr></table>',
      '<p>$1250M</p><div>~98.6°F</div><p>Degrees</p><div><p>80%</p></div><p>1</p><div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td>0</td></tr></tbody></table></div>',
    ],
    [
      'an article no buttons that share it, forms, related posts and authors, of which the site has its own',
      '<div class="sharedaddy"><h3>Share this:</h3><a href="/?share=x">X</a></div><p>Words</p><div class="ub_click_to_tweet">Tweet</div><div class="yarpp yarpp-related"><h3>Related</h3><img src="/a.jpg"></div><div class="kg-signup-card"><h2>Sign up</h2></div>' +
        '<form action="https://a.example/"><h3>Join</h3><label>Email * <input type="email"></label><div>Sent!</div></form><form><select></select></form>',
      '<p>Words</p>',
    ],
    [
      'an article its words where a form is around them, or holds a picture',
      `<form><p>${'word '.repeat(101)}</p><input></form><form><img src="/a.svg" alt="A"><textarea></textarea></form><form><input readonly><p>Code</p></form>`,
      `<div><p>${'word '.repeat(101)}</p></div><div><img src="https://images.example.com/base/a.svg?width=1000" srcset="https://images.example.com/base/a.svg?width=1000 1000w" sizes="1000px" alt="A" loading="lazy" decoding="async"></div><div><p>Code</p></div>`,
    ],
    [
      'a reader no request to turn JavaScript on',
      '<noscript>Please enable JavaScript to view the <a href="https://a.example/">comments</a>.</noscript><noscript><p>Turn on Javascript</p><iframe src="https://a.example/1"></iframe></noscript><noscript><a href="https://a.example/2">Take our poll</a></noscript>',
      '<a class="b-open" href="https://a.example/1" rel="noopener">Open the page at a.example</a><a href="https://a.example/2" rel="noopener">Take our poll</a>',
    ],
    [
      'notes within a line their words in brackets',
      '<p>It grew<sup class="modern-footnotes-footnote"><a href="javascript:void(0)" title="The report.">1</a></sup><span role="tooltip" class="modern-footnotes-footnote__note" tabindex="0">The <em>report</em>.</span> again<label class="margin-toggle">⊕</label><span class="sidenote">Twice.</span>.</p><span role="tooltip"></span><p>It fell<span class="inline-note">3<span class="note-text" style="display:none">Once.</span></span>.<span style="display: none">More</span></p>',
      '<p>It grew (The <em>report</em>.) again (Twice.).</p><p>It fell3Once..More</p>',
    ],
    [
      'tabs the words of their titles, before all panels',
      '<div role="tablist"><button role="tab">A</button><button role="tab">B</button></div><div role="tabpanel"><p>a</p></div><div class="elementor-tab-title elementor-tab-mobile-title" role="tab">B</div><div role="tabpanel"><p>b</p></div>' +
        '<ul class="kt-tabs-title-list"><li id="tab-c"><a href="#tab-c">C</a></li></ul><div class="kt-tab-inner-content"><p>c</p></div><div role="tablist"><div role="tab">D</div></div><p>d</p>',
      '<div>A B </div><div><p>a</p></div><div><p>b</p></div><ul><li id="t-tab-c"><a href="#t-tab-c">C</a></li></ul><div><p>c</p></div><div><div>D</div></div><p>d</p>',
    ],
    [
      'words that stand as a caption outside of a figure their place',
      '<div><figure><img src="https://a.example/1.png" alt="1"></figure> <figcaption>One</figcaption></div><div><figure><img src="https://a.example/2.png" alt="2"><figcaption>Two</figcaption></figure><figcaption>Both</figcaption></div><figure><img src="https://a.example/3.png" alt="3"></figure><figcaption>Three</figcaption>',
      '<figure><img src="https://a.example/1.png" alt="1" loading="lazy" decoding="async"></figure> <div>One</div><figure><img src="https://a.example/2.png" alt="2" loading="lazy" decoding="async"><figcaption>Two</figcaption></figure><div>Both</div><figure><img src="https://a.example/3.png" alt="3" loading="lazy" decoding="async"></figure><div>Three</div>',
    ],
    [
      'bold words of Word their weight, and no others',
      "<p><b style='mso-bidi-font-weight:normal'>Bold</b> <span style='mso-bidi-font-weight:bold'>plain</span></p>",
      '<p><b>Bold</b> plain</p>',
    ],
    [
      'a link the page that it leads to in the end, where the redirect of Google Docs names one',
      '<a href="https://www.google.com/url?q=https://a.example/x&amp;sa=D">a</a><a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fy&amp;data=me">b</a><a href="https://l.facebook.com/l.php?u=javascript:x">c</a><a href="https://www.google.com/url?q=https://x:y@a.example/">d</a>',
      '<a href="https://a.example/x" rel="noopener">a</a><a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fy&#x26;data=me" rel="noopener">b</a><a href="https://l.facebook.com/l.php?u=javascript:x" rel="noopener">c</a>d',
    ],
    [
      'nothing the focus a script would move',
      '<div tabindex="0" role="group" aria-label="Slides"><p>a</p></div>',
      '<div><p>a</p></div>',
    ],
    [
      'a reader words for screen readers where nothing else says them',
      '<p><a href="https://a.example/"><svg></svg><span class="screen-reader-text">A page</span></a> <a href="https://a.example/">b<span class="sr-only"> (opens in a new tab)</span></a></p><div><div class="visually-hidden">Image</div><hr></div><table><caption class="screen-reader-text">Plans</caption><tr><td><i></i><span class="sr-only">Yes</span></td></tr></table><div>c<span class="elementor-screen-only">Close</span><span class="not-sr-only">d</span><span class="large-screen-only">e</span></div>',
      '<p><a href="https://a.example/" rel="noopener">A page</a> <a href="https://a.example/" rel="noopener">b</a></p><div><hr></div><div class="table-scroll" tabindex="0" role="group" aria-label="Plans"><table><caption>Plans</caption><tbody><tr><td>Yes</td></tr></tbody></table></div><div>cde</div>',
    ],
    [
      'a podcast of Castos its cover and title',
      '<div class="castos-player"><div class="player__artwork"><img src="https://a.example/c.png" alt="Show"></div><div class="player__episode-title">Ep 1</div><audio><source src="https://m.example/1.mp3"></audio><time>00:00</time><div class="share player-panel">Share</div></div>',
      '<figure><img src="https://a.example/c.png" alt="" width="80" height="80" loading="lazy" decoding="async"><audio controls preload="none" title="Ep 1"><source src="https://m.example/1.mp3"></audio><figcaption>Ep 1</figcaption></figure>',
    ],
    [
      'what a script of Issuu would show its page',
      '<div class="issuuembed" data-configid="1/2"></div>',
      '<a class="b-open" href="https://e.issuu.com/embed.html#1/2" rel="noopener">Open the page at e.issuu.com</a>',
    ],
    [
      'a shortcode that stands alone what it would show, and one within words its letters',
      `<p>[contact-form-7 id="1" title="Form"]</p><p>[audio mp3="https://m.example/1.mp3"][/audio]</p>[video width="640" mp4=&#8221;https://m.example/2.mp4&#8221;][/video]<p>[youtube=https://youtu.be/abcdefghijk&#038;w=640]</p><p>[su_note]One[/su_note]</p><p>Write [gallery ids="1,2"] or [sic].</p><p><b>Or</b> [gallery ids="3"]</p>One\n\n[audio mp3="https://m.example/3.mp3"]\n\n<a id="x"></a>\n\n<p><a href="#x">Two</a></p>`,
      '<div><audio controls preload="none" title="1.mp3"><source src="https://m.example/1.mp3"></audio></div><div><video controls preload="none" title="2.mp4" playsinline><source src="https://m.example/2.mp4"></video></div><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><p>One</p><p>Write [gallery ids="1,2"] or [sic].</p><p><b>Or</b> [gallery ids="3"]</p><p>One</p><div><audio controls preload="none" title="3.mp3"><source src="https://m.example/3.mp3"></audio></div><a id="t-x"></a><p><a href="#t-x">Two</a></p>',
    ],
    [
      'buttons and pictures of page builders at this site',
      '[vc_btn title="Report" link="url:%2Fnews%2Fa|target:_blank"][et_pb_image src="/posts/a.jpg" alt="/x"][et_pb_text title="/ 2"]',
      '<div><p><a class="b-button" href="/news/a">Report</a></p></div><div><img src="https://images.example.com/base/posts/a.jpg?width=1000" srcset="https://images.example.com/base/posts/a.jpg?width=1000 1000w" sizes="1000px" alt="/x" loading="lazy" decoding="async"></div><div><p><strong>/ 2</strong></p></div>',
    ],
    [
      'a button of a page builder its link, and a picture beside a link its place',
      '[vc_btn title="Report" link="url:https%3A%2F%2Fa.example%2F1%3Fb%3D2%26c|target:_blank"][et_pb_cta title="Plans" button_text="Compare" button_url="https://a.example/2"][fusion_button link="https://a.example/3" color="x"]Trial[/fusion_button][et_pb_blurb title="Team" url="https://a.example/4" image="https://a.example/t.png"]',
      '<div><p><a class="b-button" href="https://a.example/1?b=2&#x26;c" rel="noopener">Report</a></p></div><p><strong>Plans</strong></p><p><a class="b-button" href="https://a.example/2" rel="noopener">Compare</a></p><div><p><a class="b-button" href="https://a.example/3" rel="noopener">Trial</a></p></div><div><img src="https://a.example/t.png" alt="" loading="lazy" decoding="async"></div><p><a class="b-button" href="https://a.example/4" rel="noopener">Team</a></p>',
    ],
    [
      'HTML that WPBakery keeps as text its elements, and an episode its player',
      `<p>[vc_raw_html]${base64(encodeURIComponent('<p>A + B & <b>C</b></p><script>d()</script>'))}[/vc_raw_html]</p><p>[audio https://m.example/1.mp3]</p><p>[audio:https://m.example/2.mp3|titles=Two]</p><p>[Source: https://a.example/]</p>`,
      '<p>A + B &#x26; <b>C</b></p><div><audio controls preload="none" title="1.mp3"><source src="https://m.example/1.mp3"></audio></div><div><audio controls preload="none" title="2.mp3"><source src="https://m.example/2.mp3"></audio></div><p>[Source: https://a.example/]</p>',
    ],
    [
      'a film of Brightcove and code of JSFiddle their pages, and a formula its letters',
      '<video class="video-js" data-account="1" data-video-id="2" controls></video><script async src="//jsfiddle.net/ada/x1/embed/js,result/"></script><p>Let <script type="math/tex; mode=display">x^2 < y</script> be.</p>',
      '<a class="b-open" href="https://players.brightcove.net/1/default_default/index.html?videoId=2" rel="noopener">Open the page at players.brightcove.net</a><a class="b-open" href="https://jsfiddle.net/ada/x1/" rel="noopener">Open the page at jsfiddle.net</a><p>Let <code>x^2 &#x3C; y</code> be.</p>',
    ],
    [
      'a reader no link to settings and animations',
      '<p>a</p><lottie-player src="https://a.example/steps.json"></lottie-player><x-chart src="/chart.js">Chart</x-chart><iframe src="https://a.example/b.json"></iframe>',
      '<p>a</p>Chart<a class="b-open" href="https://a.example/b.json" rel="noopener">Open the page at a.example</a>',
    ],
    [
      'a film of its own player its file beside its picture',
      `<div class="flowplayer" data-item='{"sources":[{"src":"https:\\/\\/m.example\\/1.mp4"}]}'><img src="https://a.example/1.png" alt="Play"></div>`,
      '<div><img src="https://a.example/1.png" alt="Play" loading="lazy" decoding="async"><video controls preload="none" title="1.mp4" playsinline><source src="https://m.example/1.mp4"></video></div>',
    ],
    [
      'a reader no hidden frame and no advertisement',
      '<iframe src="https://count.example/" style="display:none"></iframe><iframe src="https://ws-na.amazon-adsystem.com/widgets/q"></iframe><p>a</p><iframe style="display: none" src="https://youtu.be/abcdefghijk"></iframe><iframe style="visibility:hidden" onload="show(this)" src="https://a.example/1"></iframe>',
      '<p>a</p><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><a class="b-open" href="https://a.example/1" rel="noopener">Open the page at a.example</a>',
    ],
    [
      'code of Crayon once, also without its plain copy',
      '<div class="crayon-syntax"><textarea class="crayon-plain" readonly>a()</textarea><table class="crayon-table"><tr><td>1</td><td>a()</td></tr></table></div><div class="crayon-syntax"><p>b()</p></div>',
      '<pre tabindex="0">a()</pre><div><p>b()</p></div>',
    ],
    [
      'a cropped picture of Envira once',
      '<div class="envira-gallery-public"><a href="https://a.example/1.png"><img src="https://a.example/1-90x60_c.png" alt="1"></a></div><noscript><img src="https://a.example/1.png" alt="1"></noscript>',
      '<div><a href="https://a.example/1.png" rel="noopener"><img src="https://a.example/1-90x60_c.png" alt="1" loading="lazy" decoding="async"></a></div>',
    ],
    [
      'a body of the classic editor its paragraphs, as the database keeps it',
      'One <a href="https://a.example/">link</a>.\n\nTwo<br>\nlines\nof <b>text</b>\n<h2>Head</h2>\nThree\n \n<!--more-->\n\nhttps://youtu.be/abcdefghijk\n\n&nbsp;\n\n<blockquote>Four\n\nFive</blockquote>\n<pre>a\n\nb</pre><div>\n\n<p>Six</p>\n\n</div>',
      '<p>One <a href="https://a.example/" rel="noopener">link</a>.</p><p>Two<br>lines<br>of <b>text</b></p><h2 id="s-head">Head</h2><p>Three</p><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><blockquote><p>Four</p><p>Five</p></blockquote><pre tabindex="0">a\n\nb</pre><div>\n\n<p>Six</p>\n\n</div>',
    ],
    [
      'the episodes of Jetpack’s player each its own',
      '<div class="wp-block-jetpack-podcast-player"><h2>Ep 2</h2><ol><li>Ep 2</li></ol><script type="application/json">{"tracks":[{"src":"https://m.example/2.mp3","type":"audio/mpeg","title":"Ep 2"}]}</script></div>',
      '<figure><audio controls preload="none" title="Ep 2"><source src="https://m.example/2.mp3"></audio><figcaption>Ep 2</figcaption></figure>',
    ],
    [
      'code no words of a button that copies it',
      '<pre><code>a()</code><button>Copy code</button></pre>',
      '<pre tabindex="0"><code>a()</code></pre>',
    ],
    [
      'code its lines, whatever elements they are',
      '<pre><code><div><div>a()</div></div><div><div></div></div><div><div>b(<span class="mi">4</span>)</div></div></code></pre>' +
        '<pre><div># e\n\nf()\n</div></pre>' +
        '<pre><p>i</p><hr></pre>',
      '<pre tabindex="0"><code>a()\n\nb(4)\n</code></pre><pre tabindex="0"># e\n\nf()\n</pre><pre tabindex="0">i\n<hr></pre>',
    ],
    [
      'a player that an empty element keeps as text its page',
      '<div class="wrapper" data-html="&lt;iframe src=&quot;https://charts.example/1&quot; title=&quot;One&quot;&gt;&lt;/iframe&gt;"></div><div data-lazy-src="<video src=\'https://m.example/2.mp4\'></video>"></div><p data-html="&lt;iframe&gt;">Words</p>',
      '<a class="b-open" href="https://charts.example/1" rel="noopener">Open “One” at charts.example</a><video controls preload="none" title="2.mp4" playsinline><source src="https://m.example/2.mp4"></video><p>Words</p>',
    ],
    [
      'a reader one of two versions for screens of different sizes, and both where they differ',
      '<div class="elementor-hidden-desktop"><div class="hide-on-desktop"><p>Plans</p></div></div><div class="elementor-hidden-mobile"><p>Plans</p></div><div class="d-md-none"><p>Prices</p></div><div class="d-none d-md-block"><p>All prices</p></div><p>Plans</p><p class="hide-on-mobile"></p><img class="mobile-only" src="https://a.example/1.png">',
      '<div><div><p>Plans</p></div></div><div><p>Prices</p></div><div><p>All prices</p></div><p>Plans</p><img src="https://a.example/1.png" alt="" loading="lazy" decoding="async">',
    ],
    [
      'a reader two of two for some screens, which two for others repeat',
      '<div class="hide-mobile">Buy</div><div class="hide-mobile">Buy</div><div class="show-mobile">Buy</div><div class="show-mobile">Buy</div>',
      '<div>Buy</div><div>Buy</div>',
    ],
    [
      'a call-out whose only element is that of its emoji what that holds',
      '<div class="kg-callout-card"><div class="kg-callout-emoji"><h2>One</h2><p>See <a href="https://a.example/">this</a></p></div></div>',
      '<div class="b-callout"><div><h2 id="s-one">One</h2><p>See <a href="https://a.example/" rel="noopener">this</a></p></div></div>',
    ],
    [
      'a reader each of several that are for the same screens, and each cell',
      '<div class="hide-mobile">Buy</div><div class="show-mobile">Buy</div><p>a</p><div class="hide-mobile">Buy</div><div class="show-mobile">Buy</div><table><tr><td class="hide-mobile">Yes</td><td class="hide-tablet">Yes</td></tr></table>',
      '<div>Buy</div><p>a</p><div>Buy</div><div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td>Yes</td><td>Yes</td></tr></tbody></table></div>',
    ],
    [
      'words that a style sets apart a space',
      '<div><span class="name">Ada Quill</span><span class="role">Editor</span><a class="site" href="https://a.example/">Ledger</a></div><div><span class="a">T</span><span class="b">he</span><span>re</span></div><p><b class="x">Mar</b><b class="y">Tech</b></p><div><code><span class="k">if</span><span class="f">not</span></code></div><ol><li><button><span class="track"><span class="title">Filing</span><span class="artist">Quill</span></span></button></li></ol>',
      '<div>Ada Quill Editor <a href="https://a.example/" rel="noopener">Ledger</a></div><div>There</div><p><b>Mar</b><b>Tech</b></p><div><code>ifnot</code></div><ol><li>Filing Quill </li></ol>',
    ],
    [
      'a cell the sign that an icon would draw',
      '<table><tr><td><i class="fas fa-check"></i></td><td><span><svg class="icon-times-circle"></svg></span></td><td><i class="fa-star"></i></td><td>No<i class="fa-check"></i></td><td class="check"></td></tr></table>',
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td>✓ </td><td>✗ </td><td></td><td>No✓ </td><td></td></tr></tbody></table></div>',
    ],
    [
      'a gallery the words between its pictures, and a pull quote who has said it',
      '<div class="gallery">In May: <img src="https://a.example/1.jpg" alt="1"><a id="x"></a><img src="https://a.example/2.jpg" alt="2"> and <b>in</b> June</div><p><a href="#x">a</a></p><figure class="wp-block-pullquote"><blockquote>Yes.</blockquote><p>Ada</p></figure>',
      '<figure class="b-gallery"><figure><a href="https://a.example/1.jpg" rel="noopener"><img src="https://a.example/1.jpg" alt="1" loading="lazy" decoding="async"></a></figure><figure><a href="https://a.example/2.jpg" rel="noopener"><img src="https://a.example/2.jpg" alt="2" loading="lazy" decoding="async"></a></figure></figure>In May: <a id="t-x"></a> and <b>in</b> June<p><a href="#t-x">a</a></p><blockquote class="b-pull-quote">Yes.<p>Ada</p></blockquote>',
    ],
    [
      'a link its page where it is written without a scheme',
      '<a href="www.a.example/x?y">a</a><a href="www.pdf">b</a>',
      '<a href="https://www.a.example/x?y" rel="noopener">a</a><a href="https://images.example.com/base/www.pdf" rel="noopener">b</a>',
    ],
    [
      'a reader no icons that share the page, and what an author writes to be shared',
      '<p><a href="https://www.facebook.com/sharer/sharer.php?u=x"><i class="fa"></i></a><a href="//x.com/intent/post?url=x" title="Post"></a><a href="https://twitter.com/intent/tweet?text=x">Words to share</a></p>',
      '<p><a href="https://twitter.com/intent/tweet?text=x" rel="noopener">Words to share</a></p>',
    ],
    [
      'a link why it is there, however that is written',
      '<a href="https://a.example/" rel="Sponsored, NoFollow">a</a><a href="https://a.example/" REL=UGC>b</a><a href="https://a.example/" rel="sponsorednofollow">c</a>',
      '<a href="https://a.example/" rel="noopener sponsored nofollow">a</a><a href="https://a.example/" rel="noopener ugc">b</a><a href="https://a.example/" rel="noopener">c</a>',
    ],
    [
      'a paragraph its direction, and a header cell its scope, in capitals too',
      '<p dir="RTL">a</p><table><tbody><tr><th scope="ROW">b</th></tr></tbody></table>',
      '<p dir="rtl">a</p><div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><th scope="row">b</th></tr></tbody></table></div>',
    ],
    [
      'pictures the place that an editor without classes writes',
      '<figure style="FLOAT: Right"><hr></figure><figure style="display: block; margin-left: auto; margin-right: auto;"><hr></figure><figure style="margin:1em auto"><hr></figure><figure style="margin:0 0 0 auto"><hr></figure><figure style="margin:auto 0"><hr></figure>',
      '<figure class="b-right"><hr></figure><figure class="b-center"><hr></figure><figure class="b-center"><hr></figure><figure><hr></figure><figure><hr></figure>',
    ],
    [
      'an address alone its player, in capitals and in a block of Trix',
      '<p>HTTPS://youtu.be/abcdefghijk</p><div>https://youtu.be/abcdefghijk<br></div><div>https://a.example/<b>b</b></div>',
      `${'<figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure>'.repeat(2)}<p><a href="https://a.example/b" rel="noopener">https://a.example/b</a></p>`,
    ],
    [
      'an address its words in a link, in code and in a card',
      '<a href="https://a.example/"><div>https://youtu.be/abcdefghijk</div></a><a href="https://a.example/"><p>https://youtu.be/abcdefghijk</p></a><pre><div>https://youtu.be/abcdefghijk</div><div>b</div></pre><figure class="kg-bookmark-card"><a class="kg-bookmark-container" href="https://a.example/c"><div class="kg-bookmark-title">https://a.example/c</div><div class="kg-bookmark-description">https://youtu.be/abcdefghijk</div></a></figure>',
      '<a href="https://a.example/" rel="noopener"><div>https://youtu.be/abcdefghijk</div></a><a href="https://a.example/" rel="noopener"><p>https://youtu.be/abcdefghijk</p></a><pre tabindex="0">https://youtu.be/abcdefghijk\nb\n</pre><div class="b-card"><p><a href="https://a.example/c" rel="noopener">https://a.example/c</a></p><p>https://youtu.be/abcdefghijk</p></div>',
    ],
    [
      'an address in a link that leads nowhere its player, as it has the second time',
      '<a href="#x"><p>https://youtu.be/abcdefghijk</p></a><a href="javascript:x"><p>https://youtu.be/abcdefghijl</p></a>',
      '<figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijl" rel="noopener">Open the video on YouTube</a></figure>',
    ],
    [
      'an address alone its place that a link leads to',
      '<div id="x">https://a.example/a</div><p id="y">https://youtu.be/abcdefghijk</p><a href="#x">x</a><a href="#y">y</a>',
      '<p id="t-x"><a href="https://a.example/a" rel="noopener">https://a.example/a</a></p><a id="t-y"></a><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><a href="#t-x">x</a><a href="#t-y">y</a>',
    ],
    [
      'code its language, of a class or of a box around it',
      '<pre class="brush: php; title: ;">a</pre><div class="Language-ruby highlighter-rouge"><pre>c</pre></div><pre class="b-verse" lang="de">d</pre>',
      '<pre data-language="php" tabindex="0">a</pre><div><pre data-language="ruby" tabindex="0">c</pre></div><pre class="b-verse" lang="de">d</pre>',
    ],
    [
      'a bold span its language and its place',
      '<p><a href="#a">a</a> <span id="a" lang="ja" style="font-weight:bold">b</span> <span style="font-weight:bold">c</span></p>',
      '<p><a href="#t-a">a</a> <span lang="ja" id="t-a"><strong>b</strong></span> <strong>c</strong></p>',
    ],
    [
      'the paragraphs of Word their lists, within its sections too',
      "<div class=WordSection1><p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>a</p>\n<p style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>1.</span>b</p></div>",
      '<div><ul><li>a<ol><li>b</li></ol></li></ul></div>',
    ],
    [
      'lists of Word their numbers, each list its own, and its bookmarks no place between items',
      `${[
        ['l0 level1', '1.', 'a'],
        ['l1 level1', '3)', 'b'],
        ['l1 level1', '4)', 'c'],
      ]
        .map(
          ([list, marker, words]) =>
            `<p style='mso-list:${list} lfo1'><span style='mso-list:Ignore'>${marker}</span>${words}</p>`,
        )
        .join(
          '',
        )}<span style='mso-bookmark:x'></span><p style='mso-list:l2 level2 lfo1'><span style='mso-list:Ignore'>b.</span>d</p><p>e</p><p style='mso-list:l3 level1 lfo1'><span style='mso-list:Ignore'>IV.</span>f</p><p style='mso-list:l4 level1 lfo1'><span style='mso-list:Ignore'>(1.2.)</span>g</p><p style='mso-list:l5 level1 lfo1'><span style='mso-list:Ignore'>o</span>h</p><p style='mso-list:l6 level1 lfo1'><span style='mso-list:Ignore'>·</span>i</p>`,
      '<ol><li>a</li></ol><ol start="3"><li>b</li><li>c<ol type="a" start="2"><li>d</li></ol></li></ol><p>e</p><ol type="I" start="4"><li>f</li></ol><ol start="2"><li>g</li></ol><ul><li>h</li><li>i</li></ul>',
    ],
    [
      'a reader no words that only lead past something or share the page',
      '<div><a class="visually-hidden" href="#x">Skip</a><a href="https://share.flipboard.com/a"><i></i><span class="sr-only">Share</span></a><a class="icon" href="mailto:?subject=a" aria-label="Send"></a><a href="mailto:a@a.example">Write</a> <a href="https://a.example/"><span class="sr-only">A</span></a></div><p id="x">b <a href="#x">c</a></p>',
      '<div><a href="mailto:a@a.example">Write</a> <a href="https://a.example/" rel="noopener">A</a></div><p id="t-x">b <a href="#t-x">c</a></p>',
    ],
    [
      'a link without content over a card its name or its host, beside the words of the card',
      '<div><a href="https://a.example/1" aria-label="Salt"> </a><i></i><span>Salt</span></div><div><a class="step-link-all" href="https://a.example/2"></a><div><img src="https://a.example/2.jpg"><p>Rope</p></div></div><figure><a href="https://a.example/3"><img src="https://a.example/3.jpg" alt="3"></a><a class="overlay" href="https://a.example/3"></a><figcaption>Mast</figcaption></figure><div>By Ada <a class="icon-x" href="https://x.example/ada"></a></div>',
      '<div><a href="https://a.example/1" rel="noopener">Salt</a>Salt</div><div><a href="https://a.example/2" rel="noopener">a.example</a></div><div><img src="https://a.example/2.jpg" alt="" loading="lazy" decoding="async"></div><p>Rope</p><figure><a href="https://a.example/3" rel="noopener"><img src="https://a.example/3.jpg" alt="3" loading="lazy" decoding="async"></a><a href="https://a.example/3" rel="noopener">a.example</a><figcaption>Mast</figcaption></figure><div>By Ada <a href="https://x.example/ada" rel="noopener">x.example</a></div>',
    ],
    [
      'a card without its parts its words',
      '<table class="kg-product-card"><tr><td><img src="https://a.example/1.jpg" alt="1"></td></tr><tr><td>Rope</td></tr></table><div class="kg-toggle-card"><h4>a</h4><div>b</div></div>',
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td><img src="https://a.example/1.jpg" alt="1" loading="lazy" decoding="async"></td></tr><tr><td>Rope</td></tr></tbody></table></div><h4 id="s-a" aria-level="2">a</h4><div>b</div>',
    ],
    [
      'a picture no address that a script did not have, and none for its viewer',
      '<div style="background-image:url(undefined)"></div><img src="https://a.example/1.jpg" alt="1" data-mediaviewer-src="https://a.example/1-huge.jpg">',
      '<img src="https://a.example/1.jpg" alt="1" loading="lazy" decoding="async">',
    ],
    [
      'a reader no words of buttons that would open the rest or write a post',
      '<blockquote>a<footer><a class="uagb-blockquote__tweet-button" href="/">Tweet</a></footer></blockquote><div class="kb-show-more-buttons"><a>Show More</a></div>',
      '<blockquote>a</blockquote>',
    ],
    [
      'code a new line where a block follows words',
      '<pre>a<div>b</div><div>c</div>d</pre><pre><code><span>e</span><p>f</p></code></pre>',
      '<pre tabindex="0">a\nb\nc\nd</pre><pre tabindex="0"><code>e\nf\n</code></pre>',
    ],
    [
      'an item its gallery, which is no list within it',
      '<ul><li><ul class="wp-block-gallery"><li><img src="https://a.example/1.jpg" alt="1"></li><li><img src="https://a.example/2.jpg" alt="2"></li></ul></li></ul>',
      '<ul><li><figure class="b-gallery"><figure><a href="https://a.example/1.jpg" rel="noopener"><img src="https://a.example/1.jpg" alt="1" loading="lazy" decoding="async"></a></figure><figure><a href="https://a.example/2.jpg" rel="noopener"><img src="https://a.example/2.jpg" alt="2" loading="lazy" decoding="async"></a></figure></figure></li></ul>',
    ],
    [
      'lists that name their level that level, beside each other and in boxes',
      '<ul class="lst-kix_a-0 start"><li>a</li></ul>\n<ul class="lst-kix_a-1 start"><li>b</li></ul><ul class="lst-kix_a-0"><li>c</li></ul><ol class="lst-kix_d-0" start="2"><li>d</li></ol><p>e</p><div class="ListContainerWrapper"><ol><li data-listid="1" data-aria-level="1"><p>f</p></li></ol></div><div class="ListContainerWrapper"><ol style="list-style-type:lower-latin"><li data-listid="1" data-aria-level="2"><p>g</p></li></ol></div><div class="ListContainerWrapper"><ol start="2"><li data-listid="1" data-aria-level="1"><p>h</p></li></ol></div><p>i</p><ol start="4"><li data-aria-level="1">j</li><li data-aria-level="2">k</li></ol>',
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol start="2"><li>d</li></ol><p>e</p><ol><li><p>f</p><ol type="a"><li><p>g</p></li></ol></li><li><p>h</p></li></ol><p>i</p><ol start="4"><li>j<ol><li>k</li></ol></li></ol>',
    ],
    [
      'a picture no address that is the name of its file',
      '<p>a<img src="data:image/png;base64,iVBORw0KGgo=" data-filename="b.png"></p>',
      '<p>a</p>',
    ],
    [
      'a drawing its pictures',
      '<svg viewBox="0 0 9 9"><image xlink:href="https://a.example/1.jpg" width="1" height="1"></image></svg><svg role="img" aria-label="N"><image href="https://a.example/2.jpg"></image><text>w</text></svg>',
      '<img src="https://a.example/1.jpg" alt="" loading="lazy" decoding="async"><img src="https://a.example/2.jpg" alt="" loading="lazy" decoding="async">N: w',
    ],
    [
      'a link to a file that shows an icon alone its name',
      '<p><a href="/files/a.pdf"><i class="icon"></i></a><a class="lightbox" href="/b.jpg"></a></p>',
      '<p><a href="https://images.example.com/base/files/a.pdf" rel="noopener">a.pdf</a></p>',
    ],
    [
      'a reader no table that is a line',
      '<table><tr><td><table><tr><td><span></span></td></tr></table></td></tr></table><p>b</p>',
      '<p>b</p>',
    ],
    [
      'a cell all columns, and a formula the script that it does not have',
      '<table><tr><td colspan="100">a</td></tr></table><math><mmultiscripts><mi>X</mi><mprescripts/><mn>1</mn><none/></mmultiscripts></math>',
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td colspan="100">a</td></tr></tbody></table></div><math><mmultiscripts><mi>X</mi><mprescripts></mprescripts><mn>1</mn><mrow></mrow></mmultiscripts></math>',
    ],
    [
      'words around a block without content their lines, and text its direction by style',
      '<ul><li>One</p>Two</li></ul><div>a<div></div><b>b</b></div><p style="text-align:left;direction:rtl">c</p><p style="flex-direction:rtl">e</p>',
      '<ul><li>One<br>Two</li></ul><div>a<br><b>b</b></div><p dir="rtl">c</p><p>e</p>',
    ],
    [
      'a caption outside of a figure its words',
      '<div class="figure"><img src="https://a.example/1.png" alt="1"><figcaption>a</figcaption></div>',
      '<div><img src="https://a.example/1.png" alt="1" loading="lazy" decoding="async"></div><div>a</div>',
    ],
    [
      'a reader no fields that Word hides on screens, and no counter of a press wire',
      '<p>a<span style="display:none;mso-hide:screen"> PAGEREF _Toc2 \\h 4</span></p><p><img src="https://cts.businesswire.com/ct/CT?id=bwnews&amp;sty=1" alt=""></p>',
      '<p>a</p>',
    ],
    [
      'a link of a map its title',
      '<map><area href="https://a.example/" title="A"></map>',
      '<a href="https://a.example/" rel="noopener">A</a>',
    ],
    [
      'no rule where Google Docs ends a page',
      '<p>c</p><hr style="page-break-before:always;display:none;"><p>d</p>',
      '<p>c</p><p>d</p>',
    ],
    [
      'a blank letter no place, and a frame of AMP the address that a plugin hides',
      '<p>\u2800</p><p>\u3164</p><amp-iframe data-src="https://www.youtube.com/embed/abcdefghijk"></amp-iframe>',
      '<figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure>',
    ],
    [
      'an item of a list its paragraph of Word',
      "<ul><li><p style='mso-list:l0 level1 lfo1'>a</p></li></ul>",
      '<ul><li><p>a</p></li></ul>',
    ],
    [
      'a pull quote the caption of its figure',
      '<figure class="wp-block-pullquote"><blockquote>Yes.</blockquote><figcaption>Ada</figcaption></figure>',
      '<blockquote class="b-pull-quote">Yes.<div>Ada</div></blockquote>',
    ],
    [
      'a picture of a gallery its words, as a caption without a figure and without its own link',
      '<div class="gallery"><li><figure><img src="https://a.example/1.jpg"><p>By <a href="https://b.example/terms.pdf">Ada</a></p></figure></li><div><a href="https://a.example/page"><img src="https://a.example/2.jpg"><span>Two</span></a></div></div>',
      '<figure class="b-gallery"><figure><a href="https://a.example/1.jpg" aria-label="By Ada" rel="noopener"><img src="https://a.example/1.jpg" alt="" loading="lazy" decoding="async"></a><figcaption><p>By <a href="https://b.example/terms.pdf" rel="noopener">Ada</a></p></figcaption></figure><figure><a href="https://a.example/page" aria-label="Two" rel="noopener"><img src="https://a.example/2.jpg" alt="" loading="lazy" decoding="async"></a><figcaption>Two</figcaption></figure></figure>',
    ],
    [
      'emphasis once, whatever says it',
      '<p style="font-weight:bold"><span style="font-weight:bold">a</span></p><table><tr><td style="font-weight:700"><b>b</b></td><td style="vertical-align:super;font-weight:bold">c</td></tr></table><p style="text-decoration-style:underline">d</p>',
      '<p><strong>a</strong></p><div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td><b>b</b></td><td>c</td></tr></tbody></table></div><p>d</p>',
    ],
    [
      'words that a class alone divides from a digit no space',
      '<div><span class="caps">MP</span><span class="numbers">3</span></div>',
      '<div>MP3</div>',
    ],
    [
      'what classes hide on every kind of screen its words',
      '<div class="hidden-desktop hidden-tablet hidden-phone">c</div>',
      '<div>c</div>',
    ],
    [
      'a row of buttons its buttons, however they are wrapped',
      '<div class="wp-block-buttons"><div><div class="wp-block-button"><a href="https://a.example/1">One</a></div><ul><li><a href="https://a.example/2">Two</a></li><li>or not</li></ul></div></div>',
      '<div class="b-buttons"><a class="b-button" href="https://a.example/1" rel="noopener">One</a><a class="b-button" href="https://a.example/2" rel="noopener">Two</a>or not</div>',
    ],
    [
      'a picture in an object the words within it',
      '<object data="https://a.example/a.png">A <b>ledger</b></object>',
      '<img src="https://a.example/a.png" alt="A ledger" loading="lazy" decoding="async">',
    ],
    [
      'a film of Vidyard and an episode of Podigee their pages',
      '<img class="vidyard-player-embed" src="https://play.vidyard.com/A1.jpg" data-uuid="A1"><script src="//play.vidyard.com/B-2.js?v=3.1"></script><script class="podigee-podcast-player" src="https://player.cdn.podigee.io/player.js" data-configuration="https://a.podigee.io/1-b/embed"></script><script class="podigee-podcast-player" data-configuration="settings"></script>',
      '<a class="b-open" href="https://play.vidyard.com/A1" rel="noopener">Open the page at play.vidyard.com</a><a class="b-open" href="https://play.vidyard.com/B-2" rel="noopener">Open the page at play.vidyard.com</a><a class="b-open" href="https://a.podigee.io/1-b/embed" rel="noopener">Open the page at a.podigee.io</a>',
    ],
    [
      'a frame that is loaded lazily once',
      '<iframe data-src="https://a.example/1"></iframe><noscript><iframe src="https://a.example/1"></iframe></noscript>',
      '<a class="b-open" href="https://a.example/1" rel="noopener">Open the page at a.example</a>',
    ],
    [
      'words the underline of a style, but not those of a link',
      '<p>We <span style="text-decoration: underline;">must <b>not</b></span> ship <a href="https://a.example/"><span style="text-decoration:underline">a</span></a> or <span style="text-decoration: underline"><a href="https://b.example/">b</a></span>, <span style="text-decoration: none">c</span>.</p>',
      '<p>We <u>must <b>not</b></u> ship <a href="https://a.example/" rel="noopener">a</a> or <a href="https://b.example/" rel="noopener">b</a>, c.</p>',
    ],
    [
      'coloured words of Gutenberg no other background',
      '<p><mark style="background-color:rgba(0, 0, 0, 0)" class="has-inline-color">a</mark> <mark style="background-color:transparent;font-weight:bold">b</mark> <mark style="background-color:rgba(9, 9, 0, 0.5)">c</mark> <mark>d</mark></p>',
      '<p>a <strong>b</strong> <mark>c</mark> <mark>d</mark></p>',
    ],
    [
      'prices that a style sets apart a space, and one number or word none',
      '<div><span class="old">$20.00</span><span class="now">$15.00</span></div><div><span class="from">From</span><span class="price">£5</span></div>' +
        '<div><span class="d">20</span><span class="d">5</span></div><div><span class="currency">$</span><span class="sum">99</span></div><div><span class="a">CO</span><sub class="b">2</sub> <span class="a">Note</span><sup class="b">12</sup></div>',
      '<div>$20.00 $15.00</div><div>From £5</div><div>205</div><div>$99</div><div>CO<sub>2</sub> Note<sup>12</sup></div>',
    ],
    [
      'a chart of WPBakery its number, and a large one of Elementor without signs between its digits',
      '<div class="vc_pie_chart" data-pie-value="70" data-pie-units="%"><span class="vc_pie_chart_back"></span><span class="vc_pie_chart_value"></span><h4>Share</h4></div>' +
        '<p><span class="elementor-counter-number" data-to-value="1234567.0001" data-delimiter=",">0</span> <span class="elementor-counter-number" data-to-value="1200" data-delimiter=" ">0</span></p>',
      '<div>70%</div><h4 id="s-share" aria-level="2">Share</h4><p>1234567.0001 1200</p>',
    ],
    [
      'a post of Instagram and one of TikTok all of their words',
      '<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/a1/"><p><a href="https://www.instagram.com/p/a1/">We open on Monday.</a></p><p>A post shared by Acme (@acme) on <time>May 9</time></p></blockquote><blockquote class="tiktok-embed" cite="https://www.tiktok.com/@a/video/12"><section><p>One</p><p>two</p></section></blockquote>',
      '<figure class="b-embed b-embed-post" data-embed="Load the post from Instagram"><p>We open on Monday. A post shared by Acme (@acme) on May 9</p><a href="https://www.instagram.com/p/a1/" rel="noopener">Open the post on Instagram</a></figure><figure class="b-embed b-embed-post" data-embed="Load the post from TikTok"><p>One two</p><a href="https://www.tiktok.com/@a/video/12" rel="noopener">Open the post on TikTok</a></figure>',
    ],
    [
      'rows of core their columns where they are of two to four short parts, and those of page builders their order',
      `<div class="wp-block-group is-layout-grid"><p>a</p><p>b</p></div><div class="wp-block-group is-nowrap is-layout-flex" id="x">\n<p>a</p> <p>b</p></div><a href="#x">x</a><div class="is-nowrap"><div><p>${'word '.repeat(141)}</p><div class="is-nowrap"><p>c</p><p>d</p></div></div><div><p>e</p></div></div><div class="is-layout-grid">${'<p>f</p>'.repeat(5)}</div><div class="is-nowrap">g<p>h</p></div><div class="is-vertical is-nowrap"><p>i</p><p>j</p></div><ul class="is-layout-grid"><li>k</li><li>l</li></ul><div class="vc_row"><div class="vc_col-sm-6">m</div><div class="vc_col-sm-6">n</div></div>`,
      `<div class="b-columns"><p>a</p><p>b</p></div><div class="b-columns" id="t-x">\n<p>a</p> <p>b</p></div><a href="#t-x">x</a><p>${'word '.repeat(141)}</p><div class="b-columns"><p>c</p><p>d</p></div><div><p>e</p></div>${'<p>f</p>'.repeat(5)}<div>g</div><p>h</p><p>i</p><p>j</p><ul><li>k</li><li>l</li></ul><div>m</div><div>n</div>`,
    ],
    [
      'a credit its link, and buttons the words of one that opens something here',
      '<a class="photo-credit" href="https://a.example/">Ada</a><span class="credit">Quill</span><div class="wp-block-buttons"><div class="wp-block-button"><a href="https://a.example/1">One</a></div> <div class="wp-block-button"><button>Open</button></div><p>or <a href="https://a.example/2">Two</a></p></div>',
      '<cite><a href="https://a.example/" rel="noopener">Ada</a></cite><cite>Quill</cite><div class="b-buttons"><a class="b-button" href="https://a.example/1" rel="noopener">One</a> <div>Open </div>or <a class="b-button" href="https://a.example/2" rel="noopener">Two</a></div>',
    ],
    [
      'a link that looks like a button its looks, whatever system named it so, unless it shows a picture',
      '<a class="cmp-button" href="/a">One</a> <a class="Button_root__x1" href="/b">Two</a> <a class="sqs-block-button-element--medium" href="/c">Three</a> <a class="btn" href="/d"><img src="https://a.example/d.png" alt="D"></a>',
      '<a class="b-button" href="/a">One</a> <a class="b-button" href="/b">Two</a> <a class="b-button" href="/c">Three</a> <a href="/d"><img src="https://a.example/d.png" alt="D" loading="lazy" decoding="async"></a>',
    ],
    [
      'code that a highlighter numbers in a table its lines',
      '<div class="language-ruby highlighter-rouge"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>def x\nend\n</pre></td></tr></tbody></table></code></pre></div>' +
        '<pre data-code-block-lang="bash"><code><table class="hljs-ln"><tr><td class="hljs-ln-numbers"><div class="hljs-ln-n"></div></td><td class="hljs-ln-code">ls</td></tr><tr><td class="hljs-ln-numbers"></td><td class="hljs-ln-code">cd</td></tr></table></code></pre>',
      '<div><pre data-language="ruby" tabindex="0"><code>1\n2\ndef x\nend\n</code></pre></div><pre tabindex="0"><code>\nls\ncd\n</code></pre>',
    ],
    [
      'a table that says that it only lays out its cells as blocks, and any other as a table',
      '<table><tr><td align="center"><table role="presentation"><tr><td><p>a</p></td><td>b</td></tr></table></td></tr><tr><td><h2>c</h2></td></tr></table><table><tr><th>d</th></tr><tr><td><img src="https://a.example/d.png" alt="D"></td></tr></table><table><tr><td>e</td></tr></table>',
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td class="b-text-center"><div><p>a</p></div><div>b</div></td></tr><tr><td><h2 id="s-c">c</h2></td></tr></tbody></table></div><div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><th>d</th></tr><tr><td><img src="https://a.example/d.png" alt="D" loading="lazy" decoding="async"></td></tr></tbody></table></div><div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td>e</td></tr></tbody></table></div>',
    ],
    ['no box for an empty summary outside of details', '<p>a</p><summary></summary>', '<p>a</p>'],
    [
      'no empty line for a break between blocks, and the breaks within lines',
      '<br><p>a<b><br>b</b></p><br><br><ul><li>c</li></ul> <br>d<br><br>e<hr><br><div><br>f<br></div><pre>g<br><br>h</pre>',
      '<p>a<b><br>b</b></p><ul><li>c</li></ul> d<br><br>e<hr><div>f<br></div><pre tabindex="0">g<br><br>h</pre>',
    ],
    [
      'a plain block for what stands outside of what holds it',
      '<figure><img src="https://a.example/1.png" alt="1"><div><figcaption>One</figcaption><div>By Ada</div></div></figure><div><li>c</li><summary>d</summary></div><dd>e</dd>',
      '<figure><img src="https://a.example/1.png" alt="1" loading="lazy" decoding="async"><div><div>One</div><div>By Ada</div></div></figure><div>c</div><div>d</div><div>e</div>',
    ],
    [
      'a figure of figures its gallery',
      '<figure><figure><img src="https://a.example/1.png" alt="1"></figure><figure><img src="https://a.example/2.png" alt="2"></figure><figcaption>Both</figcaption></figure><figure><figure><pre>a</pre></figure><figure><pre>b</pre></figure></figure>',
      '<figure class="b-gallery"><figure><a href="https://a.example/1.png" rel="noopener"><img src="https://a.example/1.png" alt="1" loading="lazy" decoding="async"></a></figure><figure><a href="https://a.example/2.png" rel="noopener"><img src="https://a.example/2.png" alt="2" loading="lazy" decoding="async"></a></figure><figcaption>Both</figcaption></figure><figure><figure><pre tabindex="0">a</pre></figure><figure><pre tabindex="0">b</pre></figure></figure>',
    ],
    [
      'nothing of what Word and e-mails hide, of settings, or of a hidden frame or its double',
      '<xml><w:View>Normal</w:View></xml><p>a<span style="display:none;mso-hide:all">b</span></p><iframe hidden src="https://a.example/count"></iframe><div><noscript><img src="https://a.example/1_rss.png" alt="D"></noscript><object style="display:none"><param name="static_image" value="https://a.example/1.png"></object></div>',
      '<p>a</p><div><img src="https://a.example/1_rss.png" alt="D" loading="lazy" decoding="async"></div>',
    ],
    [
      'blocks in boxes, and words between them, the gaps of blocks',
      '<div class="body"><p>a</p><p>b</p><div><div>c</div><h2>d</h2>e <b>f</b></div></div><div><p>g</p></div><div>h</div><div class="callout"><div><p>i</p><p>j</p></div></div>',
      '<p>a</p><p>b</p><div>c</div><h2 id="s-d">d</h2><div>e <b>f</b></div><div><p>g</p></div><div>h</div><div class="b-callout"><div><p>i</p><p>j</p></div></div>',
    ],
    [
      'a caption and the name beside it a space',
      '<figure><img src="https://a.example/1.png" alt="1"><figcaption><span class="caption">The hall</span><span class="credit-line">(Ada Quill)</span></figcaption></figure>',
      '<figure><img src="https://a.example/1.png" alt="1" loading="lazy" decoding="async"><figcaption>The hall (Ada Quill)</figcaption></figure>',
    ],
    [
      'call-outs and embeds of editors theirs',
      '<div class="alert alert-info">a</div><details class="custom-block"><summary>b</summary>c</details><oembed>https://www.youtube.com/watch?v=abcdefghijk</oembed><figure class="pull-left"><img src="https://a.example/1.png" alt="1"></figure>',
      '<div class="b-callout"><p>a</p></div><details><summary>b</summary>c</details><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><figure class="b-left"><img src="https://a.example/1.png" alt="1" loading="lazy" decoding="async"></figure>',
    ],
    [
      'code that stands in an xmp, as Elementor writes it, its lines',
      '<pre class="language-js"><code><xmp>a <b>1</b>\nb</xmp></code></pre><xmp>c</xmp>',
      '<pre data-language="js" tabindex="0"><code>a &#x3C;b>1&#x3C;/b>\nb</code></pre><pre tabindex="0">c</pre>',
    ],
    [
      'a drawing that only a style or a script would make its name',
      '<div role="img" aria-label="Rated 4.5 of 5"><i class="star"></i></div><p><canvas role="img" aria-label="Sums"></canvas></p>',
      '<div>Rated 4.5 of 5</div><p>Sums</p>',
    ],
    [
      'a cell of nothing but a checkbox, or a drawing with a name, what it says',
      '<table><tr><td><input type="checkbox" checked disabled></td><td><span role="img" aria-label="4 of 5"></span></td></tr></table>',
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td><span role="img" aria-label="done">☑</span> </td><td>4 of 5</td></tr></tbody></table></div>',
    ],
    [
      'a line that is a heading by its role its level',
      '<p role="heading" aria-level="2">A</p><div role="heading" aria-level="3"><span>B</span></div><div role="heading"><p>C</p></div>',
      '<h2 id="s-a">A</h2><h3 id="s-b">B</h3><div><p>C</p></div>',
    ],
    [
      'a price a space before its sign',
      '<div><span class="was">$59</span><span class="sign">$</span><span class="now">39</span></div>',
      '<div>$59 $39</div>',
    ],
    [
      'what a plugin would write into a number',
      '<div><span class="fl-number-int" data-number="1200" data-total="1200">0</span></div><div data-start="0" data-end="99"><span class="brz-counter-numbers">0</span></div>',
      '<div>1200</div><div>99</div>',
    ],
    [
      'nothing of what a plugin repeats',
      '<li class="et_pb_counter"><span class="et_pb_counter_amount">75%</span> <span class="et_pb_counter_amount overlay">75%</span></li><div class="uagb-timeline__date-hide">May</div><div class="uagb-timeline__date-new">May</div><div class="printfriendly"><a href="#"><img src="https://a.example/print.gif"></a></div>',
      '<div>75% </div><div>May</div>',
    ],
    [
      'a link of which nothing is visible no words, and a button that leads nowhere its own',
      '<p>a<a href="https://spam.example/"></a> <a class="btn">b</a></p>',
      '<p>a b</p>',
    ],
    [
      'a target in a box the place that it has the second time',
      '<div><div><a name="x"></a><p>a <a href="#x">b</a></p></div></div>',
      '<a id="t-x"></a><p>a <a href="#t-x">b</a></p>',
    ],
    [
      'words within a line, which would open a video above the page, their link',
      '<p>Watch <span class="wistia_embed wistia_async_abcdefghij popover=true"><a href="#">the demo</a></span> now.</p>',
      '<p>Watch <a href="https://fast.wistia.net/embed/iframe/abcdefghij" rel="noopener">the demo</a> now.</p>',
    ],
    [
      'a player that its element repeats for old browsers once',
      '<presto-player src="https://www.youtube.com/watch?v=abcdefghijk"><div><iframe data-src="https://www.youtube.com/embed/abcdefghijk?rel=0"></iframe></div></presto-player>',
      '<div><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure></div>',
    ],
    [
      'words of a label beside each other a space',
      `<div><label><span class="a">Web</span><span class="b">80%</span></label></div>`,
      '<div>Web 80%</div>',
    ],
    [
      'a formula of Gemini, whose drawing says less, as it is written',
      '<p><span data-math="x^2"><span class="katex"><span class="katex-html" aria-hidden="true">x2</span></span></span></p>',
      '<p><code>x^2</code></p>',
    ],
    [
      'a button that Outlook alone hides its place',
      '<table role="presentation"><tr><td><a href="https://a.example/" style="padding:12px;mso-hide:all">Read</a></td></tr></table>',
      '<div><a href="https://a.example/" rel="noopener">Read</a></div>',
    ],
    [
      'a page or a file that a shortcode or settings name a link, once',
      `<p>[iframe src="https://a.example/if" width="100%"]</p><p>[pdf url="https://a.example/1.pdf"]</p><div data-attributes='{"file":"https:\\/\\/a.example\\/2.pdf"}'></div><p>[contact-form-7 id="5"]</p><div class="ead-document-loading">Loading <a href="https://a.example/3.docx">Open</a></div>`,
      '<p><a class="b-open" href="https://a.example/if" rel="noopener">Open the page at a.example</a></p><p><a class="b-open" href="https://a.example/1.pdf" rel="noopener">Open 1.pdf at a.example</a></p><a class="b-open" href="https://a.example/2.pdf" rel="noopener">Open the page at a.example</a>',
    ],
    [
      'a post of Reddit its words, and a chart of everviz its page',
      '<blockquote class="reddit-embed-bq"><a href="https://www.reddit.com/r/x/comments/1/y/">Title</a><br> by<a href="https://www.reddit.com/user/u/">u/u</a></blockquote><div><script src="https://app.everviz.com/inject/AbC-1/?v=3"></script></div>',
      '<blockquote class="b-post"><a href="https://www.reddit.com/r/x/comments/1/y/" rel="noopener">Title</a><br> by <a href="https://www.reddit.com/user/u/" rel="noopener">u/u</a></blockquote><div><a class="b-open" href="https://app.everviz.com/embed/AbC-1/" rel="noopener">Open the page at app.everviz.com</a></div>',
    ],
    [
      'an embed after a target whose end tag is missing its player',
      '<a name="one"><p>https://youtu.be/abcdefghijk</p><p><a href="#one">Up</a></p>',
      '<a id="t-one"></a><figure class="b-embed b-embed-video" data-embed="Load the video from YouTube"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">Open the video on YouTube</a></figure><p><a href="#t-one">Up</a></p>',
    ],
    [
      'items the numbers that are written',
      '<ol><li value="1">A</li><li value="2"><ul><li>x</li></ul></li><li value="3">B</li><li value="4"><ul><li>y</li></ul></li><li value="4">C</li></ol>',
      '<ol><li value="1">A</li><li value="2"><ul><li>x</li></ul></li><li value="3">B</li><li value="4"><ul><li>y</li></ul></li><li value="4">C</li></ol>',
    ],
    [
      'an item no sign for an icon of something else',
      '<ul><li><i class="icon-times-of-india"></i>The Times</li><li><i class="icon-close-up"></i>Photos</li><li><i class="fa fa-times-circle-o"></i>Support</li></ul>',
      '<ul><li>The Times</li><li>Photos</li><li>✗ Support</li></ul>',
    ],
    [
      'a table and a rule what has a class of Editor.js elsewhere',
      '<table><tr class="tc-row"><td class="tc-cell" colspan="2">A</td></tr></table><div class="tc-row"><div class="tc-cell">A</div></div><div class="ce-delimiter">Words</div><div class="tc-table"><div class="x"><div class="tc-cell">B</div></div></div>',
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td colspan="2">A</td></tr></tbody></table></div><div><div>A</div></div><div>Words</div><div><div><div>B</div></div></div>',
    ],
    [
      'items whose level only a class or an attribute of an editor names their words, in one list',
      '<div class="kg-callout-card"><ul><li aria-level="1">A</li></ul></div><div class="wp-block-columns"><div><ol><li data-list="bullet">B</li></ol></div><div dir="rtl"><ol><li data-list="bullet">C</li></ol></div></div><ol><li data-list="checked">D</li><li class="ql-indent-1">E</li><li class="public-DraftStyleDefault-depth1">F</li></ol><ul><li class="tox-checklist--checked">G</li></ul><ul><li class="lst-x-0" data-aria-level="1">H</li><li>I</li></ul>',
      '<div class="b-callout"><ul><li>A</li></ul></div><div class="b-columns"><div><ol><li>B</li></ol></div><div dir="rtl"><ol><li>C</li></ol></div></div><ol><li>D</li><li>E</li><li>F</li></ol><ul><li>G</li></ul><ul><li>H</li><li>I</li></ul>',
    ],
  ])('give %s', (_, source, expected) => {
    const { html } = renderArticleHtml(source, options);
    expect(html).toBe(expected);
    expect(renderArticleHtml(html, options).html).toBe(html);
  });

  it.each([
    ['https://m.example/1.mp3', '<audio><source src="https://m.example/1.mp3?_=1"></audio>'],
    ['http://m.example/1.mp3', '<audio src="https://m.example/1.mp3"></audio>'],
    ['/files/1.mp3', '<audio src="https://images.example.com/base/files/1.mp3"></audio>'],
    [
      'https://youtu.be/abcdefghijk',
      '<iframe src="https://www.youtube.com/embed/abcdefghijk?start=5"></iframe>',
    ],
  ])('show once what a data attribute names (%s) and the body holds: %s', (address, held) => {
    const { html } = renderArticleHtml(`<div data-media="${address}"><h4>Title</h4>${held}</div>`, options);
    expect(html.match(/<audio|b-embed-video/g)).toHaveLength(1);
  });

  it('take no longer for a long style or attribute than for its length', () => {
    const long = (text: string) => text.repeat(200_000 / text.length);
    const styles = [long('text-decoration'), long('font-weight:'), `background:${long('rgba(background:')}`];
    for (const style of styles)
      expect(
        renderArticleHtml(`<p style="${style}">a</p><mark style="${style}">b</mark>`, options).html,
      ).toBe('<p>a</p><mark>b</mark>');
  });

  it('are found in time that hardly grows with the depth of a body', () => {
    const timeOf = (html: string) => {
      const before = process.threadCpuUsage();
      renderArticleHtml(html, options);
      return process.threadCpuUsage(before).user;
    };
    const text = `<p>${'word '.repeat(60_000)}</p>`;
    timeOf(text);
    expect(timeOf('<div>'.repeat(200) + text)).toBeLessThan(15 * timeOf(text));
  });

  it.each(['figcaption', 'p'])(
    'lead from a picture of a gallery to the whole picture, not where its %s does',
    (tag) => {
      const figure = (name: string) =>
        `<li><figure><img src="https://a.example/${name}.jpg"><${tag}>Photo: <a href="https://b.example/">Ada</a></${tag}></figure></li>`;
      const { html } = renderArticleHtml(`<ul class="gallery">${figure('c')}${figure('d')}</ul>`, options);
      for (const name of ['c', 'd'])
        expect(html).toMatch(new RegExp(`<a href="https://a.example/${name}.jpg"[^>]*><img`));
      expect(html.match(/<a href="https:\/\/b.example\/" rel="noopener">Ada<\/a>/g)).toHaveLength(2);
    },
  );

  it('show each embed once, also where a plugin loads it lazily or a picture lies on it', () => {
    const url = 'https://www.youtube.com/embed/abcdefghijk';
    for (const source of [
      `<iframe data-lazy-src="${url}?feature=oembed"></iframe><noscript><iframe src="${url}"></iframe></noscript>`,
      `<div class="elementor-widget-video" data-settings='{"youtube_url":"${url.replaceAll('/', '\\/')}"}'><p>Play</p></div>`,
    ])
      expect(renderArticleHtml(source, options).html.match(/<a [^>]*>/g)).toEqual([
        '<a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener">',
      ]);
  });

  it('hold what a data attribute of words plays, after the words and once', () => {
    const source =
      '<ul><li data-audiopath="https://m.example/1.mp3"><span>One</span></li><li data-audiopath="https://m.example/2.mp3"></li><li data-src="https://youtu.be/abcdefghij2"><img src="https://a.example/1.png"></li></ul>' +
      '<div data-audio="/3.mp3" data-again="/3.mp3"><span>Listen</span></div><div data-video-url="https://youtu.be/abcdefghijk"><div data-url="https://www.youtube.com/watch?v=abcdefghijk"><h4>Alpha</h4></div></div>' +
      '<div data-video="https://youtu.be/abcdefghij0">Watch</div><iframe data-lazy-src="https://www.youtube.com/embed/abcdefghij0"></iframe><div data-audio="https://m.example/4.mp3">Play<audio><source src="https://m.example/4.mp3"></audio></div>' +
      '<div data-audio="https://m.example/5.mp3"><a href="https://m.example/5.mp3">Get it</a></div><section data-bg-video="https://m.example/6.mp4" data-jarallax-video="https://youtu.be/abcdefghij1"><p>Words</p></section><div class="share" data-url="https://youtu.be/abcdefghij1">Share</div>';
    const embed = (id: string) =>
      `<figure><a href="https://www.youtube.com/watch?v=${id}">Open the video on YouTube</a></figure>`;
    const audio = (name: string) =>
      `<audio controls preload="none" title="${name}"><source src="https://m.example/${name}"></audio>`;
    const host = { ...options, imageHost: 'https://m.example' };
    const { html } = renderArticleHtml(source, host);
    expect(html.replaceAll(/ (?:class|data-embed|id|aria-level|rel|alt|loading|decoding)="[^"]*"/g, '')).toBe(
      `<ul><li>One${audio('1.mp3')}</li><li>${audio('2.mp3')}</li><li><img src="https://a.example/1.png">${embed('abcdefghij2')}</li></ul>` +
        `<div>Listen${audio('3.mp3')}</div><h4>Alpha</h4>${embed('abcdefghijk')}` +
        `<div>Watch</div>${embed('abcdefghij0')}<div>Play${audio('4.mp3')}</div>` +
        '<div><a href="https://m.example/5.mp3">Get it</a></div><div><p>Words</p></div><div>Share</div>',
    );
    expect(renderArticleHtml(html, host).html).toBe(html);
  });

  it.each(
    (
      'data-src data-ezsrc data-orig-src data-breeze data-opt-src data-pagespeed-lazy-src data-cfsrc nitro-lazy-src ' +
      'data-wpfc-original-src data-flying-press-src data-lazyload data-original data-delayed-url data-src-cmplz ' +
      'data-cookieblock-src data-cookie-script-src consent-original-src-_ data-uc-src suppressedsrc data-iframe-src data-src-fg'
    ).split(' '),
  )('hold what a plugin hides in %s', (name) => {
    const source = `<img ${name}="/lazy.jpg" src="data:image/gif;base64,R0"><iframe ${name}="https://charts.example/1" src="about:blank"></iframe>`;
    const { html } = renderArticleHtml(source, options);
    expect(html).toContain('src="https://images.example.com/base/lazy.jpg?width=1000"');
    expect(html).toContain('href="https://charts.example/1"');
  });

  it('hold a picture that any data attribute of an empty element names, or one of a background', () => {
    const source =
      '<img src="data:image/gif;base64,R0" data-image-loader="/1.jpg"><div data-bgset="/2.jpg"></div><div data-background="/3.jpg"><h2>Words</h2></div><ul><li data-original="/4.jpg"></li></ul>' +
      '<div data-src="/7.json"></div><p data-image="/8.jpg">Words</p><img data-placeholder="/9.jpg"><div style="--inline-bg-image: url(/0.jpg)"><h2>More</h2></div>';
    const { html } = renderArticleHtml(source, options);
    expect(html.match(/\w\.jpg(?=\?width=1000")/g)).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg', '0.jpg']);
  });

  it('hold the picture, not what stands in for one that failed or is yet to come', () => {
    const source =
      '<img src="/a.jpg" data-error-src="/e.jpg" data-placeholder-src="/p.jpg"><img srcset="/s.jpg, /l.jpg 2x">' +
      '<img src="/t.jpg" data-srcset="/t.jpg 20w, /w.jpg 1200w"><img src="/u.jpg" data-src="/v_{width}x.jpg">';
    const { html } = renderArticleHtml(source, options);
    expect(html.match(/\w\.jpg(?=\?width=1000")/g)).toEqual(['a.jpg', 's.jpg', 'w.jpg', 'u.jpg']);
  });

  it('hold a page of code that is nothing but an address, and the words of an abbreviation', () => {
    const source =
      '<figure><pre><code>https://youtu.be/abcdefghijk</code></pre></figure><p><code>https://a.example/x</code></p><p><acronym title="Hauptbuch">HB</acronym></p>';
    expect(renderArticleHtml(source, options).html).toBe(
      '<figure><pre tabindex="0"><code>https://youtu.be/abcdefghijk</code></pre></figure><p><code>https://a.example/x</code></p><p><abbr title="Hauptbuch">HB</abbr></p>',
    );
  });

  it('have no address as a title, and no figure around them', () => {
    const { html } = renderArticleHtml(
      '<lite-vimeo videoid="123456789">https://vimeo.com/24680</lite-vimeo><figure><span><iframe src="https://youtu.be/abcdefghijk"></iframe></span></figure>',
      options,
    );
    expect(html.replaceAll(/ (?:data-embed|rel)="[^"]*"/g, '')).toBe(
      '<figure class="b-embed b-embed-video"><a href="https://vimeo.com/123456789">Open the video on Vimeo</a></figure><figure class="b-embed b-embed-video"><a href="https://www.youtube.com/watch?v=abcdefghijk">Open the video on YouTube</a></figure>',
    );
  });

  it('leave an embed in a caption where it is', () => {
    const source =
      '<figure><figcaption><iframe src="https://youtu.be/abcdefghijk"></iframe></figcaption></figure>';
    const { html } = renderArticleHtml(source, options);
    expect(html).toMatch(/^<figure><figcaption><figure class="b-embed b-embed-video"/);
    expect(renderArticleHtml(html, options).html).toBe(html);
  });

  it('read the documents of at most twenty frames, none of which is a flood', () => {
    const { html } = renderArticleHtml('<iframe srcdoc="<p>a</p>"></iframe>'.repeat(22), options);
    expect(html).toBe('<p>a</p>'.repeat(20));
    const flood = `<iframe srcdoc="${'<p>a'.repeat(501)}"></iframe>`;
    expect(renderArticleHtml(flood, options)).toMatchObject({
      html: '',
      losses: [{ outcome: 'removed', element: 'iframe' }],
    });
  });

  it('hold a file that a browser may not play as a link', () => {
    const source =
      '<audio src="http://old.example/1.mp3"></audio><video><source src="https://m.example/2.m3u8"><a href="https://m.example/2.mp4">Get it</a></video><video><a href="https://m.example/3.mp4">Three</a></video>';
    const { html } = renderArticleHtml(source, options);
    expect(html.match(/(?:src|href)="[^"]*"/g)).toEqual([
      'src="https://old.example/1.mp3"',
      'href="http://old.example/1.mp3"',
      'src="https://m.example/2.m3u8"',
      'href="https://m.example/2.mp4"',
      'href="https://m.example/3.mp4"',
    ]);
  });

  it('ask an image host without https as its operator wrote it, and every other host over https', () => {
    const local = { ...options, imageHost: 'http://10.0.0.5:8080/files' };
    const source =
      '<video src="http://10.0.0.5:8080/files/a.mp4"></video><img src="//10.0.0.5:8080/files/b.jpg"><img src="http://10.0.0.5:8080/c.jpg"><img src="http://a.example/d.jpg">';
    const { html } = renderArticleHtml(source, local);
    expect(html.match(/ src="[^"]*"/g)).toEqual([
      ' src="http://10.0.0.5:8080/files/a.mp4"',
      ' src="http://10.0.0.5:8080/files/b.jpg?width=1000"',
      ' src="http://10.0.0.5:8080/c.jpg"',
      ' src="https://a.example/d.jpg"',
    ]);
    const secure = renderArticleHtml('<img src="http://images.example.com/base/a.jpg">', options);
    expect(secure.html).toContain('https://images.example.com/base/a.jpg?width=1000');
  });

  it('hold recordings that a plugin loads lazily', () => {
    const source =
      '<video data-src="/1.mp4"></video><audio data-src="/2.mp3"></audio><video><source data-src="/3.mp4"></video><video data-lazy-src="/4.mp4"></video><noscript><video src="/4.mp4"></video></noscript>';
    const { html } = renderArticleHtml(source, options);
    expect(html.match(/\/\d\.mp\d/g)).toEqual(['/1.mp4', '/2.mp3', '/3.mp4', '/4.mp4']);
  });

  it('that became a link or went are listed', () => {
    const source =
      '<iframe src="https://charts.example.org/a"></iframe><script src="https://gist.github.com/ada/0a1b.js"></script><script src="https://ads.example.org/x.js"></script><form action="https://forms.example.org/1"><label>Name <input></label></form><input type="checkbox">';
    expect(renderArticleHtml(source, options).losses).toEqual([
      { outcome: 'removed', element: 'form', host: 'forms.example.org' },
      { outcome: 'link', element: 'iframe', host: 'charts.example.org' },
      { outcome: 'link', element: 'script', host: 'gist.github.com' },
      { outcome: 'removed', element: 'script', host: 'ads.example.org' },
      { outcome: 'removed', element: 'input', host: null },
    ]);
  });

  it('that no row knows are listed by name: as links where they have an address', () => {
    const source =
      '<x-card href="https://a.example/x"><a href="https://a.example/y">y</a></x-card><x-lazy src="/a.jpg"><img src="/a.jpg"></x-lazy>' +
      '<object data="/files/a.pdf"></object><x-chart data="{1}">1</x-chart><x-tip title="Only a name"></x-tip><lite-youtube></lite-youtube>' +
      '<x-link src="javascript:alert(1)"></x-link><o:p></o:p><font>Words</font>';
    const { html, losses } = renderArticleHtml(source, options);
    expect(html.replaceAll(/<img [^>]*>/g, '<img>')).toBe(
      '<a class="b-open" href="https://a.example/x" rel="noopener">Open the page at a.example</a><a href="https://a.example/y" rel="noopener">y</a>' +
        '<img><a class="b-open" href="https://images.example.com/base/files/a.pdf" rel="noopener">a.pdf</a>1Only a nameWords',
    );
    expect(losses.map(({ outcome, element, host }) => `${outcome} ${element} ${host}`)).toEqual([
      'link object null',
      'link x-card a.example',
      'removed x-chart null',
      'removed x-tip null',
      'removed lite-youtube null',
      'removed x-link null',
    ]);
  });

  it('are listed with pictures, recordings and drawings that went, and captions that became a link', () => {
    const source =
      '<p>Words<img src="data:image/png;base64,AA" alt="A signature"></p><audio></audio>' +
      '<svg role="img" aria-label="Growth"><text>2019</text></svg><svg><title>icon</title></svg>' +
      '<video src="https://m.example/a.mp4"><track src="https://m.example/a.vtt"></video>';
    const { html, losses } = renderArticleHtml(source, options);
    expect(html).toContain('Growth: 2019<video');
    expect(losses.map(({ outcome, element, host }) => `${outcome} ${element} ${host}`)).toEqual([
      'removed svg null',
      'removed svg null',
      'removed img null',
      'removed audio null',
      'link track m.example',
    ]);
  });

  it('hold no HTML within a formula, and no part of a formula outside of one', () => {
    const source =
      '<math><mtext>a<p>b</p><img src=x onerror=alert(1)></mtext><mi onclick=x href="javascript:1">c</mi><style>d</style>' +
      '<annotation-xml encoding="text/html"><b>e</b></annotation-xml></math><mi>f</mi>';
    const { html } = renderArticleHtml(source, options);
    assertSafeHtml(html);
    expect(html).toBe('<math><mtext>a b</mtext><mi>c</mi></math>f');
  });

  it('have the size of a picture that Ghost writes in a call to action', () => {
    const source =
      '<div class="kg-card kg-cta-card"><img src="https://a.example/c.jpg" alt="A" data-image-dimensions="600x400"></div>';
    expect(renderArticleHtml(source, options).html).toContain('width="600" height="400"');
  });
});

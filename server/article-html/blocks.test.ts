import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embedOf } from '#shared/embeds.ts';
import { BLOCK_FIXTURES } from '../../tests/fixtures/article-blocks.ts';
import { assertSafeHtml } from '../../tests/fixtures/assert-safe-html.ts';
import { HOSTILE_HTML } from '../../tests/fixtures/hostile-html.ts';
import { renderArticleHtml } from './render-article-html.ts';

const options = {
  imageHost: 'https://images.example.com/base',
  imagesServedBelow: null,
  publicOrigin: 'https://site.example.com',
};

/** Returns names of files, and pages of embeds, that some markup refers to as media or links. */
function mediaIn(source: string): string[] {
  const addresses = [...source.matchAll(/(?:\ssrc|data-src|href|data)="([^"]+)"/g)].map(([, value]) =>
    String(value),
  );
  return addresses.flatMap((address) => {
    const embed = embedOf(address);
    if (embed) return [embed.page];
    return /[^/]+\.(?:jpe?g|png|mp[34]|webm|pdf|xlsx|zip)(?=$|\?)/.exec(address)?.slice(0, 1) ?? [];
  });
}

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

  it('lose no media: what goes in comes out, as itself or as a link', () => {
    const isKept = (file: string) => !/icon|spacer|1f600|\.js/.test(file);
    for (const { html } of BLOCK_FIXTURES) {
      const out = mediaIn(renderArticleHtml(html, options).html.replaceAll('&#x26;', '&'));
      for (const file of mediaIn(html).filter(isKept)) expect(out).toContain(file);
    }
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
      'td',
      'details',
      'aside',
      'figure',
      'em',
      'b',
    );
    const nested = fc
      .array(fc.tuple(wrapper, block, block), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.map(([name, a, b]) => `<${name}>${a}${b}</${name}>`).join(''));
    fc.assert(
      fc.property(nested, (source) => {
        const body = renderArticleHtml(source, options);
        assertSafeHtml(body.html);
        expect(body.reduced).toBeNull();
        expect(renderArticleHtml(body.html, options)).toMatchObject({ html: body.html });
        for (const file of mediaIn(source).filter((name) => /\.(?:mp[34]|pdf)$|gallery/.test(name)))
          expect(body.html).toContain(file);
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

  it('that became a link or went are listed', () => {
    const source =
      '<iframe src="https://charts.example.org/a"></iframe><script src="https://ads.example.org/x.js"></script><form><input></form>';
    expect(renderArticleHtml(source, options).losses).toEqual([
      { outcome: 'link', element: 'iframe', host: 'charts.example.org' },
      { outcome: 'removed', element: 'script', host: 'ads.example.org' },
      { outcome: 'removed', element: 'input', host: null },
    ]);
  });

  it('that no row knows are listed by name: as links where they have an address', () => {
    const source =
      '<x-card href="https://a.example/x"><a href="https://a.example/y">y</a></x-card><x-lazy src="/a.jpg"><img src="/a.jpg"></x-lazy>' +
      '<object data="/files/a.pdf"></object><x-chart data="{1}">1</x-chart><x-tip title="Only a name"></x-tip><lite-youtube></lite-youtube>' +
      '<x-link src="javascript:alert(1)"></x-link><amp-pixel src="https://p.example/x"></amp-pixel><o:p></o:p><font>Words</font>';
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
      'removed amp-pixel p.example',
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
});

import { describe, expect, it } from 'vitest';
import type { Article } from '#shared/models/article.ts';
import { articleMarkdown } from './article-markdown.ts';

const article: Article = {
  id: '1',
  category: 'news',
  slug: 'a-story',
  title: 'A *story* of [brackets]',
  author: 'Ann Étoile',
  publishedAt: '2026-01-05T10:20:30.000Z',
  description: 'What it is about.',
  keywords: [],
  image: null,
  banner: null,
  video: null,
  readingMinutes: 4,
  bodyHtml: '',
  headings: [],
};

function body(html: string): string {
  const text = articleMarkdown({ ...article, bodyHtml: html }, 'https://www.example.com');
  return text.split('\n\n').slice(3, -2).join('\n\n');
}

describe('an article as Markdown', () => {
  it('begins with its title, deck, author and date, and ends with its address', () => {
    const text = articleMarkdown(article, 'https://www.example.com');
    expect(text).toMatch(/^# A \\\*story\\\* of \\\[brackets\\\]\n\n_What it is about\._\n\nBy Ann Étoile, /);
    expect(text).toMatch(/\n\n---\n\nMartech Meridian: <https:\/\/www\.example\.com\/news\/a-story>\n$/);
  });

  it.each([
    ['paragraphs and breaks', '<p>One<br>two</p>\n<p>three</p>', 'One  \ntwo\n\nthree'],
    ['headings', '<h2 id="s-a">A <em>b</em></h2><h3>C</h3><h4>D</h4>', '## A _b_\n\n### C\n\n#### D'],
    ['nested emphasis', '<p>a<strong> b <em>c</em></strong>d</p>', 'a **b _c_**d'],
    [
      'links',
      '<p><a href="/tag/x">x</a> <a href="https://a.example/b_(c)">y</a></p>',
      '[x](https://www.example.com/tag/x) [y](https://a.example/b_%28c%29)',
    ],
    ['lists in lists', '<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul>', '- a\n\n  - b\n- c'],
    [
      'text and links directly in a list',
      '<ul>\nbefore <a href="/x">x</a>\n<li>a</li>between<li>b</li></ul>',
      '- before [x](https://www.example.com/x)\n- a\n- between\n- b',
    ],
    [
      'lists directly in a list',
      '<ol><ul><li>a</li></ul><li>b</li>\n<ul><li>c</li><li>d</li></ul><li>e</li></ol>',
      '1. - a\n2. b\n\n   - c\n   - d\n3. e',
    ],
    ['numbered lists', '<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    [
      'code',
      '<pre><code>if (a &lt; b) {\n  c();\n}\n</code></pre><p><code>a_b</code></p>',
      '```\nif (a < b) {\n  c();\n}\n```\n\n`a_b`',
    ],
    [
      'tables',
      '<div class="table-scroll"><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1|2</td></tr></tbody></table></div>',
      '| A | B |\n| --- | --- |\n| 1\\|2 |',
    ],
    [
      'figures',
      '<figure><img src="https://i.example/a.jpg" alt="A picture"><figcaption>Said</figcaption></figure>',
      '![A picture](https://i.example/a.jpg)\n\nSaid',
    ],
    [
      'players',
      '<iframe src="https://player.vimeo.com/video/1"></iframe>',
      '<https://player.vimeo.com/video/1>',
    ],
    ['what looks like markup', '<p>1 &lt; 2 &amp; # _x_ *y*</p>', '1 \\< 2 &amp; \\# \\_x\\_ \\*y\\*'],
  ])('has its %s', (_what, html, markdown) => {
    expect(body(html)).toBe(markdown);
  });

  it.each([
    ['a fence within code', '<pre>```\n&lt;b&gt;\n```</pre>', '````\n```\n<b>\n```\n````'],
    ['backticks and blank lines in a code span', '<p><code>a`\n\n&lt;b&gt;</code></p>', '``a` <b>``'],
    [
      'list items and underlines',
      '<p>1. a<br>2) b<br>- c<br>+ d<br>===</p>',
      '1\\. a  \n2\\) b  \n\\- c  \n\\+ d  \n\\===',
    ],
    ['an exclamation before a link', '<p>Go!<a href="/x">x</a></p>', 'Go\\![x](https://www.example.com/x)'],
    ['a heading that breaks', '<h2>a<br># b</h2>', '## a \\# b'],
    [
      'blank lines in a picture’s text',
      '<img src="/a.jpg" alt="a](b)\n\n# c">',
      '![a\\](b) \\# c](https://www.example.com/a.jpg)',
    ],
    [
      'a pipe in a cell’s code',
      '<table><tr><td><code>a|b</code><br>c</td></tr></table>',
      '| `a\\|b` c |\n| --- |',
    ],
    [
      'what ends a link',
      '<a href="mailto:a\\">x</a> <a href="/?a|b&amp;amp;lt;">y</a>',
      '[x](mailto:a%5C) [y](https://www.example.com/?a%7Cb&amp;amp;lt;)',
    ],
  ])('takes no markup from %s', (_what, html, markdown) => {
    expect(body(html)).toBe(markdown);
  });

  it('takes no markup from title and description', () => {
    const text = articleMarkdown(
      { ...article, title: 'a\n\n<b>', description: 'c\n\n- ![d](e)' },
      'https://www.example.com',
    );
    expect(text).toContain('# a \\<b\\>\n\n_c - !\\[d\\](e)_\n\n');
  });

  it('resolves links within the article against its own address', () => {
    expect(body('<a href="#s-a">a</a>')).toBe('[a](https://www.example.com/news/a-story#s-a)');
  });

  it.each([
    ['quotes', `${'<blockquote>'.repeat(250)}${'<p>x</p>'.repeat(9_000)}`],
    ['lists', `${'<ul><li>'.repeat(120)}${'<p>x</p>'.repeat(9_000)}`],
    ['lines of code in quotes', `${'<blockquote>'.repeat(250)}<pre>${'x\n'.repeat(40_000)}</pre>`],
    ['emphasis', '<em>x<strong>y'.repeat(120)],
    ['a wide table', `<table><tr>${'<td>x'.repeat(4_000)}${'<tr><td>x'.repeat(4_000)}`],
    ['cells that span rows and columns', `<table>${'<tr><td colspan="99" rowspan="99">x'.repeat(4_000)}`],
    ['line breaks', `<p>${'x<br>'.repeat(90_000)}</p>`],
    ['formatted line breaks', `<sub>${'<br>x'.repeat(90_000)}</sub>`],
    ['links', `<p>${'<a href="/x">x</a> '.repeat(9_000)}</p>`],
  ])('stays in proportion to a flood of %s', (_what, html) => {
    const start = process.threadCpuUsage();
    const text = body(html);
    expect(text.length).toBeLessThan(40 * html.length);
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(4_000);
  });
});

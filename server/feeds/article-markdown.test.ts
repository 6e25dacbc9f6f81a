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
      '| A | B |\n| --- | --- |\n| 1\\\\|2 |  |',
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
});

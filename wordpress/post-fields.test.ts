import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recorded } from '../tests/fixtures/recorded-wordpress.ts';
import { readBody, readExcerpt } from './bodies.ts';
import { picturePath } from './pictures.ts';
import { bodyOf, episodeOf, listedPost, WpPost } from './post-fields.ts';
import type { Discovery } from './rest-api-discovery.ts';
import { createSections } from './sections.ts';

const DISCOVERY: Discovery = {
  root: 'https://example.org/wp-json/',
  origin: 'https://cms.example.org',
  homes: ['https://example.org', 'https://cms.example.org'],
  mediaHosts: new Set(['cdn.example.net']),
  hasEvents: false,
};
const Terms = z.array(
  z.object({
    id: z.number(),
    slug: z.string(),
    name: z.string(),
    parent: z.number(),
    count: z.number(),
    link: z.string(),
  }),
);
const SECTIONS = createSections(Terms.parse(recorded('categories').body), '');
const postOf = (name: string) => WpPost.parse(z.array(z.unknown()).parse(recorded(name).body)[0]);

describe('a recorded post', () => {
  it('becomes one of the upstream', () => {
    expect(listedPost(postOf('blocks'), SECTIONS, DISCOVERY)).toMatchObject({
      cat_slug: 'featured',
      post_name: 'every-block',
      post_author: 'Ines Halloran',
      author_url: 'https://people.example.com/ines-halloran',
      post_date: '2026-02-02T08:00:00Z',
      updated_at: '2026-02-02T08:00:00Z',
      banner_img: '/site/wp-content/uploads/2026/01/a-grocer-learns-to-forget.jpg',
      banner_show: 0,
      podcast_link: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
      reading_time: 1,
    });
    expect(listedPost(postOf('emoji'), SECTIONS, DISCOVERY)).toMatchObject({
      post_name: 'launch-🚀-day',
      podcast_link: null,
    });
    expect(postOf('protected').content.protected).toBe(true);
  });

  it.each([null, false, undefined, { a: 1 }])(
    'is one too where a filter has left %j of its body',
    (rendered) => {
      const given = { ...postOf('blocks'), content: { rendered, protected: false } };
      expect(listedPost(WpPost.parse(given), SECTIONS, DISCOVERY)).toMatchObject({ reading_time: null });
    },
  );

  it('has no author’s name where WordPress hides its users, but for that of Yoast SEO', () => {
    const post = postOf('closedAuthor');
    expect(listedPost(post, SECTIONS, DISCOVERY)).toMatchObject({ post_author: null, author_url: null });
    const yoast_head_json = {
      author: 'Ines Halloran',
      description: 'In a line',
      og_image: [{ url: 'https://cdn.example.net/share.png' }],
    };
    expect(
      listedPost(
        { ...post, yoast_head_json, content: { rendered: '', protected: false } },
        SECTIONS,
        DISCOVERY,
      ),
    ).toMatchObject({
      post_author: 'Ines Halloran',
      meta_description: 'In a line',
      banner_img: '/cdn.example.net/share.png',
      banner_show: 0,
    });
  });

  it.each([
    ['audio_file', 'https://example.org/12.mp3', '<audio src="https://example.org/12.mp3"></audio>'],
    [
      'enclosure',
      ['https://pod.example/12.mp4?a&b\r\n81\nvideo/mp4'],
      '<video src="https://pod.example/12.mp4?a&amp;b"></video>',
    ],
    ['enclosure', 'none', ''],
    ['audio_file', 'javascript:alert(1)', ''],
    ['audio_file', 'https://example.org/there.mp3', ''],
  ])('has its episode by the %s that a podcast plugin keeps', (name, value, line) => {
    const rendered = '<audio src="https://example.org/there.mp3"></audio>';
    const post = { ...postOf('blocks'), content: { rendered, protected: false }, meta: { [name]: value } };
    expect(episodeOf(WpPost.parse(post))).toBe(line);
  });

  it('has its links and pictures at the site, and the rest where it is', () => {
    const html = bodyOf(postOf('blocks'), DISCOVERY, (href) =>
      href.includes('classic-post') ? '/news/classic-post' : null,
    );
    expect(html).toContain('href="/news/classic-post"');
    expect(html).toContain('href="https://example.org/2026/01/two-sections/"');
    expect(html).toContain('src="/site/wp-content/uploads/2026/01/a-grocer-learns-to-forget.jpg"');
    expect(html).toContain('href="https://example.org/wp-content/uploads/2026/01/figures.pdf"');
    expect(html).not.toContain('watch?v=');
    expect(html).toContain('wp-block-pullquote');
  });

  it('has its animations where they are, if browsers may load them from there', () => {
    const rendered =
      '<p><img src="https://example.org/a.gif?ver=2"><img src="http://example.org/b.gif"><img src="/c.png"></p>';
    const post = { ...postOf('blocks'), content: { rendered, protected: false } };
    expect(bodyOf(post, DISCOVERY, () => null)).toBe(
      '<p><img src="https://example.org/a.gif?ver=2"><img src="/site/b.gif"><img src="/site/c.png"></p>',
    );
  });

  it.each(['https://example.org/a.jpg', '//example.org/a.jpg', '/a.jpg'])(
    'has the picture behind a block at the site: %s',
    (address) => {
      const rendered = `<div style="color:red;background-image:url('${address}')"><p style="background:url(#x)">A</p></div>`;
      const post = { ...postOf('blocks'), content: { rendered, protected: false } };
      expect(bodyOf(post, DISCOVERY, () => null)).toBe(
        '<div style="color:red;background-image:url(&quot;/site/a.jpg&quot;)"><p style="background:url(#x)">A</p></div>',
      );
    },
  );
});

it('a post whose pictures are loaded lazily has them at the site, its first in lists, and the words of their twins once', () => {
  const img = (source: string) => `<img ${source}>`;
  const file = 'https://example.org/a.jpg';
  const lazy = (address: string) =>
    `${img(`src="https://example.org/lazy.gif" data-lazy-src="${address}"`)}<noscript>${img(`src="${address}"`)} a &lt; b</noscript>`;
  const post = { ...postOf('blocks'), content: { rendered: lazy(file), protected: false } };
  expect(bodyOf(post, DISCOVERY, () => null)).toBe(lazy('/site/a.jpg'));
  expect(readBody(post.content.rendered)).toMatchObject({ pictures: [file, file], words: 2 });
});

it.each(['data-original', 'data-breeze', 'data-orig-file'])(
  'a picture has one address, also where a plugin keeps it in %s',
  (name) => {
    const lazy = (address: string, tag = 'img') =>
      `<${tag} ${name}="${address}" data-name="a.jpg"></${tag}><noscript><img src="${address}"></noscript>`;
    const post = {
      link: 'https://example.org/p/',
      content: { rendered: lazy('https://example.org/a.jpg', 'b') },
    };
    expect(bodyOf(post, DISCOVERY, () => null)).toBe(lazy('/site/a.jpg', 'b'));
  },
);

it.each(['srcset', 'data-srcset', 'data-lazy-srcset'])('the pictures of a %s are at the site', (name) => {
  const [first, second] = ['https://example.org/a.jpg', '//example.org/b,c.jpg'];
  const picture = (one: string, two: string) =>
    `<picture><source ${name}="${one} 1x,${two} 2x"><img ${name}="${two} 600w, ${one} 900w"></picture>`;
  const post = { link: 'https://example.org/p/', content: { rendered: picture(first, second) } };
  expect(bodyOf(post, DISCOVERY, () => null)).toBe(picture('/site/a.jpg', '/site/b,c.jpg'));
});

it('the poster of a video is at the site, and its file where it is', () => {
  const video = (poster: string) => `<video poster="${poster}" src="https://example.org/a.mp4"></video>`;
  const rendered = video('https://example.org/a.jpg');
  const post = { link: 'https://example.org/p/', content: { rendered } };
  expect(bodyOf(post, DISCOVERY, () => null)).toBe(video('/site/a.jpg'));
});

it('the address of a picture is one of its `srcset` where its `src` has none', () => {
  const set = 'srcset="https://example.org/a.jpg 800w, https://example.org/a-300x200.jpg 300w"';
  const placeholder = '<img src="data:image/gif;base64,R0lGOD" data-srcset="/b.jpg 2x">';
  expect(readBody(`<img ${set}>${placeholder}`).pictures).toEqual(['https://example.org/a.jpg', '/b.jpg']);
});

it('a long attribute takes no longer than its length', () => {
  const rendered = `<p data-x="/${'.jpg?'.repeat(100_000)} x">a</p>`;
  expect(bodyOf({ link: '', content: { rendered } }, DISCOVERY, () => null)).toBe(rendered);
});

it('a link that is typed without its scheme is left to the site', () => {
  const rendered = '<a href="www.partner.example/page">Partner</a><a href="page">Page</a>';
  const post = { link: 'https://example.org/p/', content: { rendered } };
  expect(bodyOf(post, DISCOVERY, () => null)).toBe(
    '<a href="www.partner.example/page">Partner</a><a href="https://example.org/p/page">Page</a>',
  );
});

it('a link within a post stays one, also where it is written with the whole address of the post', () => {
  const post = postOf('blocks');
  const rendered = `<p><a href="${post.link}#note-1">1</a><a href="${post.link}">self</a></p>`;
  const body = bodyOf({ link: post.link, content: { rendered } }, DISCOVERY, () => '/news/self#x');
  expect(body).toBe('<p><a href="#note-1">1</a><a href="/news/self#x">self</a></p>');
});

describe('picturePath', () => {
  it.each([
    ['https://example.org/wp-content/a.jpg?resize=1', '/site/wp-content/a.jpg'],
    ['http://www.example.org/wp-content/a.jpg', '/site/wp-content/a.jpg'],
    ['https://i2.wp.com/example.org/wp-content/a.jpg?ssl=1', '/site/wp-content/a.jpg'],
    ['https://i0.wp.com/other.example/a.jpg', '/i0.wp.com/other.example/a.jpg'],
    ['https://ledger.files.wordpress.com/2020/a.png', '/ledger.files.wordpress.com/2020/a.png'],
    ['https://cdn.example.net/a.webp', '/cdn.example.net/a.webp'],
    [
      `https://0.gravatar.com/avatar/${'abc0'.repeat(8)}?s=96`,
      `/secure.gravatar.com/avatar/${'abc0'.repeat(8)}`,
    ],
    ['https://secure.gravatar.com/avatar/?s=96', null],
    ['https://www.example.com/a.jpg', null],
    ['http://169.254.169.254/a.jpg', null],
    ['https://example.org/wp-admin/install.php', null],
    ['data:image/png;base64,AAAA', null],
    [null, null],
  ])('serves %s as %s', (address, path) => {
    expect(picturePath(address, DISCOVERY)).toBe(path);
  });
});

describe('readBody', () => {
  it.each([
    [
      '<iframe src="//www.youtube.com/embed/aqz-KE-bpKQ"></iframe>',
      'https://www.youtube.com/embed/aqz-KE-bpKQ',
    ],
    ['<p>https://youtu.be/aqz-KE-bpKQ</p>', 'https://youtu.be/aqz-KE-bpKQ'],
    ['<p>See https://youtu.be/aqz-KE-bpKQ there</p>', null],
    [
      '<iframe src="https://player.vimeo.com/video/76979871"></iframe>',
      'https://player.vimeo.com/video/76979871',
    ],
    ['<iframe src="https://www.example.com/watch?v=1"></iframe>', null],
    [
      '<iframe data-src="//youtu.be/x"></iframe><noscript><iframe src="//youtu.be/x"></iframe></noscript>',
      null,
    ],
  ])('finds in %s the video %s', (html, video) => {
    expect(readBody(html).video).toBe(video);
  });

  it.each([
    ['Two words', 2],
    ['हिन्दी में समाचार पढ़ें', 4],
    ['今日は天気がいいので、東京へ', 7],
  ])('counts in %s %i words', (html, words) => {
    expect(readBody(html).words).toBe(words);
  });

  it('leaves a body as it is whose tree would not fit into memory', () => {
    const html = `<p><img src="a.jpg"></p>${'x'.repeat(1_000_000)}`;
    expect(readBody(html)).toMatchObject({ pictures: [], words: 0 });
    expect(readBody(html).rewritten(() => 'b.jpg')).toBe(html);
  });

  it('leaves a body as it is whose formatting the parser would repeat without end', () => {
    const html = Array.from({ length: 700 }, (_, n) => `<p><b id=${n}>a</p>`).join('');
    expect(readBody(html)).toMatchObject({ words: 0 });
    expect(readBody(html).rewritten(() => 'b.jpg')).toBe(html);
  });

  it('reads a body that nests deep, and one of many nodes beside each other', () => {
    expect(readBody('<div>'.repeat(20_000)).words).toBe(0);
    expect(readBody('a<br>'.repeat(90_000)).words).toBe(90_000);
  });

  it('takes no time with the square of a style or an excerpt', () => {
    const start = process.threadCpuUsage();
    readBody(`<p style="${'url(https:'.repeat(40_000)}">a</p>`).rewritten(() => '');
    for (const link of ['<a class="more-link">', '<a class="more-link"', '<a class="', '<a more-link '])
      readExcerpt(link.repeat(20_000));
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(1_000);
  });
});

it('an excerpt is without the link to the rest', () => {
  const words = '<p>First words [&hellip;]';
  const link = ' <a href="/a" class="wp-block more-link">Weiterlesen<span> “A”</span></a>';
  expect(readExcerpt(`${words}${link}</p>`)).toBe(`${words} </p>`);
  expect(readExcerpt(`${words}${link.replaceAll('"', "'")}</p>`)).toBe(`${words} </p>`);
  expect(readExcerpt('<p>Read <a href="/more-links">more links</a>.</p>')).toContain('more links</a>');
});

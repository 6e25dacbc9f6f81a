import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { loadContent } from '#demo/load-content.ts';
import { PICTURES_DIR } from '#demo/picture-folder.ts';
import type { PostEntry } from '#demo/read-post-file.ts';

/** A post as `install.php` writes it. `key`: by which tests find its id. */
export interface WrittenPost {
  key?: string;
  title: string;
  slug?: string;
  content: string;
  excerpt?: string;
  status?: 'publish' | 'draft' | 'private' | 'future';
  password?: string;
  type?: 'post' | 'page';
  author?: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  date: string;
  categories?: string[];
  tags?: string[];
  /** Name of a file of the media library. */
  picture?: string;
}

interface MediaFile {
  name: string;
  type: string;
  alt: string;
  width?: number;
  height?: number;
  /** Path of what it is made of, or its bytes. */
  source: string | Buffer;
}

const DAY = 86_400_000;
const PICTURE_WIDTH = 1200;
const UPLOADS = 'http://wordpress.test/wp-content/uploads/2026/01';
/** Pictures that the demo's posts share in tests, to be made in little time. */
const FEW_PICTURES = 16;

/** What a WordPress has besides the posts of every other kind. */
export interface ContentOptions {
  /** Posts besides the content, as an archive of thousands has them. */
  many?: number;
  /** Whether each post of the demo has a picture of its own. */
  allPictures?: boolean;
  /** Posts of the demo. Default: all. */
  choose?: <Post>(posts: readonly Post[]) => readonly Post[];
}

/** Everything that a WordPress of the tests publishes: the demo's posts as blocks, and posts of every other kind. */
export function createContent({ many = 0, allPictures = false, choose = (all) => all }: ContentOptions) {
  const demo = loadContent();
  const now = Date.now();
  const pictured = allPictures ? demo.posts : demo.posts.slice(0, FEW_PICTURES);
  const media: MediaFile[] = [
    ...pictured.map(({ slug, title }) => picture(slug, title)),
    {
      name: 'figures.pdf',
      type: 'application/pdf',
      alt: 'Figures',
      source: Buffer.from('%PDF-1.4\n%%EOF\n'),
    },
    { name: 'talk.mp3', type: 'audio/mpeg', alt: 'Talk', source: Buffer.from('ID3') },
  ];
  const posts = choose(demo.posts).map((post, index) => ({
    ...writtenPost(post, now),
    picture: `${pictured[index % pictured.length]?.slug}.jpg`,
  }));
  return {
    name: 'The Test Ledger',
    tagline: 'Written by hand, read by machines',
    many,
    users: demo.authors.map(({ key, name, description }) => ({
      login: key,
      name,
      description,
      url: `https://people.example.com/${key}`,
    })),
    terms: [
      // As publications name them: only some have the slugs of sections.
      ...[
        ['news', 'News'],
        ['quick-bytes', 'Quick Bytes'],
        ['podcasts', 'Podcasts'],
        ['interviews', 'Interviews'],
        ['future-ready', 'Future Ready'],
        ['guest-posts', 'Guest Posts'],
        ['articles', 'Articles'],
        ['learning-center', 'Learning Center'],
        ['privacy', 'Privacy'],
        ['日本', '日本'],
      ].map(([slug, name]) => ({ taxonomy: 'category', slug, name })),
      { taxonomy: 'category', slug: 'founders', name: 'Founders', parent: 'category interviews' },
      ...demo.subcategories.map(({ slug, name }) => ({ taxonomy: 'post_tag', slug, name })),
      { taxonomy: 'post_tag', slug: 'ελλάδα', name: 'Ελλάδα' },
    ],
    media,
    posts: [...posts, ...SPECIAL_POSTS.map((post) => ({ author: 'ines-halloran', ...post }))],
  };

  function picture(slug: string, alt: string): MediaFile {
    const source = join(PICTURES_DIR, 'posts', `${slug}.svg`);
    return { name: `${slug}.jpg`, type: 'image/jpeg', alt, width: PICTURE_WIDTH, height: 675, source };
  }
}

/** Writes the files of a media library into its folder of uploads. */
export async function writeMedia(media: readonly MediaFile[], dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  for (const { name, source } of media) {
    const bytes =
      typeof source === 'string'
        ? await sharp(source).resize({ width: PICTURE_WIDTH, height: 675, fit: 'cover' }).jpeg().toBuffer()
        : source;
    writeFileSync(join(dir, name), bytes);
  }
}

const CATEGORIES: Readonly<Record<string, string>> = {
  quickbytes: 'quick-bytes',
  interview: 'interviews',
  'guest-author': 'guest-posts',
  featured: 'articles',
};

function writtenPost(post: PostEntry, now: number): WrittenPost {
  const day = new Date(now - post.daysAgo * DAY - DAY).toISOString().slice(0, 10);
  const video =
    post.podcast === null
      ? ''
      : `<!-- wp:embed {"url":"${post.podcast}","type":"video","providerNameSlug":"youtube","responsive":true} -->\n<figure class="wp-block-embed is-type-video is-provider-youtube wp-block-embed-youtube"><div class="wp-block-embed__wrapper">\n${post.podcast}\n</div></figure>\n<!-- /wp:embed -->\n\n`;
  return {
    title: post.title,
    slug: post.slug,
    content: video + blocksOf(post.bodyHtml),
    excerpt: post.deck,
    author: post.author,
    date: `${day} ${post.at}:00`,
    categories: [CATEGORIES[post.category] ?? post.category],
    tags: [...post.subcategories],
  };
}

/** The demo has one element a line. */
function blocksOf(html: string): string {
  return html
    .replace(/ src="\/figures\/[^"]*"/g, ' src=""')
    .replace(/<figure>[\s\S]*?<\/figure>\n?/g, '')
    .replace(/^<p>.*<\/p>$/gm, '<!-- wp:paragraph -->\n$&\n<!-- /wp:paragraph -->\n');
}

const image = (name: string, alt: string, size = '') =>
  `<img src="${UPLOADS}/${name}" alt="${alt}"${size} class="wp-image-{${name}}"/>`;
const FIRST = 'a-grocer-learns-to-forget.jpg';

/** Posts that show what WordPress's editors write, in which states a post can be, and which addresses it can have. */
const SPECIAL_POSTS: WrittenPost[] = [
  {
    key: 'classic',
    title: 'A post of the classic editor',
    slug: 'classic-post',
    date: '2026-01-20 08:00:00',
    categories: ['privacy'],
    tags: ['analytics', 'ελλάδα'],
    content: `The classic editor writes no paragraphs.

[caption id="attachment_1" align="alignright" width="600"]${image('a-right-to-explanations-from-guesswork.jpg', 'A meter', ' width="600" height="338"')} Its caption[/caption]

It leaves two line breaks &mdash; and a <a href="http://wordpress.test/2026/02/every-block/">link</a>.

<!--more-->

<h3 id="notes">Notes</h3>
[gallery ids="{${FIRST}},{a-right-to-explanations-from-guesswork.jpg}"]`,
  },
  {
    key: 'blocks',
    title: 'Every block &amp; what becomes of it',
    slug: 'every-block',
    date: '2026-02-02 08:00:00',
    categories: ['articles'],
    tags: ['analytics'],
    content: `<!-- wp:paragraph {"dropCap":true} -->
<p class="has-drop-cap">A first paragraph with a <a href="http://wordpress.test/2026/01/classic-post/#notes">link to a post</a>, one to a <a href="http://wordpress.test/category/interviews/">category</a>, one to a <a href="/2026/01/two-sections/">post by its path</a>, one by <a href="http://wordpress.test/?p={post classic}">its number</a>, and one to <a href="https://www.example.com/elsewhere">another site</a>.</p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2>A picture</h2>
<!-- /wp:heading -->

<!-- wp:image {"sizeSlug":"large"} -->
<figure class="wp-block-image size-large">${image(FIRST, 'A shelf', ' width="1200" height="675"')}<figcaption class="wp-element-caption">With a caption</figcaption></figure>
<!-- /wp:image -->

<!-- wp:gallery {"linkTo":"none"} -->
<figure class="wp-block-gallery has-nested-images columns-default is-cropped"><!-- wp:image -->
<figure class="wp-block-image">${image(FIRST, 'One')}</figure>
<!-- /wp:image -->

<!-- wp:image -->
<figure class="wp-block-image">${image('a-right-to-explanations-from-guesswork.jpg', 'Two')}</figure>
<!-- /wp:image --></figure>
<!-- /wp:gallery -->

<!-- wp:embed {"url":"https://www.youtube.com/watch?v=aqz-KE-bpKQ","type":"video","providerNameSlug":"youtube"} -->
<figure class="wp-block-embed is-type-video is-provider-youtube wp-block-embed-youtube"><div class="wp-block-embed__wrapper">
https://www.youtube.com/watch?v=aqz-KE-bpKQ
</div><figcaption class="wp-element-caption">A film</figcaption></figure>
<!-- /wp:embed -->

<!-- wp:pullquote -->
<figure class="wp-block-pullquote"><blockquote><p>Nobody reads the second line.</p><cite>A reader</cite></blockquote></figure>
<!-- /wp:pullquote -->

<!-- wp:columns -->
<div class="wp-block-columns"><!-- wp:column -->
<div class="wp-block-column"><!-- wp:paragraph -->
<p>Left</p>
<!-- /wp:paragraph --></div>
<!-- /wp:column -->

<!-- wp:column -->
<div class="wp-block-column"><!-- wp:list -->
<ul><li>Right</li></ul>
<!-- /wp:list --></div>
<!-- /wp:column --></div>
<!-- /wp:columns -->

<!-- wp:buttons -->
<div class="wp-block-buttons"><!-- wp:button -->
<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="https://www.example.com/report">Read the report</a></div>
<!-- /wp:button --></div>
<!-- /wp:buttons -->

<!-- wp:table -->
<figure class="wp-block-table"><table><thead><tr><th>Year</th><th>Sum</th></tr></thead><tbody><tr><td>2025</td><td>12</td></tr></tbody></table><figcaption class="wp-element-caption">Sums</figcaption></figure>
<!-- /wp:table -->

<!-- wp:file {"href":"${UPLOADS}/figures.pdf"} -->
<div class="wp-block-file"><a href="${UPLOADS}/figures.pdf">Figures</a><a href="${UPLOADS}/figures.pdf" class="wp-block-file__button wp-element-button" download>Download</a></div>
<!-- /wp:file -->

<!-- wp:audio -->
<figure class="wp-block-audio"><audio controls src="${UPLOADS}/talk.mp3"></audio></figure>
<!-- /wp:audio -->

<!-- wp:code -->
<pre class="wp-block-code"><code>a &lt; b &amp;&amp; c</code></pre>
<!-- /wp:code -->`,
  },
  {
    key: 'two sections',
    title: 'In two sections, with one address',
    slug: 'two-sections',
    date: '2026-01-18 08:00:00',
    categories: ['podcasts', 'interviews', 'news'],
    content: '<p>It is news first.</p>',
  },
  {
    key: 'sub-section',
    title: 'In a category below a section',
    slug: 'below-a-section',
    date: '2026-01-17 08:00:00',
    categories: ['founders', 'privacy'],
    content: '<p>Founders are interviewed.</p>',
  },
  {
    key: 'no category',
    title: 'Without a category',
    slug: 'without-a-category',
    date: '2026-01-16 08:00:00',
    content: '<p>Everything else is news.</p>',
  },
  {
    key: 'greek',
    title: 'Η Ελλάδα μετρά τα δεδομένα της',
    date: '2026-01-15 08:00:00',
    categories: ['news'],
    tags: ['ελλάδα'],
    content: '<p>Ένα κείμενο στα ελληνικά.</p>',
  },
  {
    key: 'japanese',
    title: '広告の測定はどこへ行くのか',
    date: '2026-01-14 08:00:00',
    categories: ['日本', 'articles'],
    content: '<p>日本語の本文です。</p>',
  },
  {
    key: 'emoji',
    title: 'Launch 🚀 day',
    slug: 'launch-🚀-day',
    date: '2026-01-13 08:00:00',
    categories: ['quick-bytes'],
    content: '<p>Up 🚀 it went.</p>',
  },
  {
    key: 'protected',
    title: 'Behind a password',
    slug: 'behind-a-password',
    password: 'open sesame',
    date: '2026-01-12 08:00:00',
    categories: ['news'],
    content: '<p>The secret of the protected post.</p>',
  },
  {
    key: 'private',
    title: 'For editors alone',
    slug: 'for-editors',
    status: 'private',
    date: '2026-01-11 08:00:00',
    categories: ['news'],
    content: '<p>The secret of the private post.</p>',
  },
  {
    key: 'draft',
    title: 'Not written yet',
    slug: 'not-written-yet',
    status: 'draft',
    date: '2026-01-10 08:00:00',
    categories: ['news'],
    content: '<p>The secret of the draft.</p>',
  },
  {
    key: 'page',
    title: 'About the ledger',
    slug: 'about',
    type: 'page',
    date: '2026-01-01 08:00:00',
    content: '<p>A page is no post.</p>',
  },
];

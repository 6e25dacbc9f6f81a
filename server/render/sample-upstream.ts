import { once } from 'node:events';
import { createServer } from 'node:http';
import type {
  CmsAdvertisement,
  CmsAuthor,
  CmsCategory,
  CmsEvent,
  CmsPost,
  CmsSubcategory,
} from '#server/cms/cms-schemas.ts';
import { AD_SLOTS } from '#shared/models/advertisement.ts';

/** An article body with every element that articles use, so that V8 compiles the code of each. */
const BODY = `
<h2>First part</h2><p>Text with a <a href="https://www.example.com/">link</a>, <strong>weight</strong> and <em>stress</em>.</p>
<h3>A detail</h3><ul><li>One</li><li>Two</li></ul><ol><li>First</li></ol>
<blockquote><p>Words of somebody else.</p></blockquote>
<figure><img src="/posts/sample.jpg" alt="A picture" width="800" height="600"><figcaption>A caption</figcaption></figure>
<h2>Second part</h2><table><thead><tr><th>Name</th></tr></thead><tbody><tr><td>Value</td></tr></tbody></table>
<pre><code>code</code></pre><iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>
${'<p>A paragraph like any other: it makes the body as long as that of a short article, and no longer.</p>\n'.repeat(8)}`;

function samplePost(number: number): CmsPost {
  return {
    id: String(number),
    cat_slug: 'news',
    post_name: `sample-${number}`,
    post_title: `Sample ${number} &amp; its title`,
    post_content: BODY,
    p_content: `<p>What sample ${number} is about.</p>`,
    post_author: 'Sample Author',
    post_author_id: '1',
    post_date: '2026-01-05 10:20:30',
    updated_at: null,
    sponsor: null,
    author_url: null,
    meta_description: 'A sample.',
    meta_keywords: 'sample, keywords',
    banner_img: '/posts/sample.jpg',
    banner_show: 1,
    podcast_link: null,
    reading_time: '4 min',
  };
}

const posts = Array.from({ length: 4 }, (_, index) => samplePost(index + 1));

const event: CmsEvent = {
  event_id: '1',
  event_title: 'Sample event',
  event_slug: 'sample',
  event_banner: '/events/sample.jpg',
  event_location: 'London',
  event_date: '2026-01-05T10:20:30.000Z',
  event_end_date: null,
  event_desc: '<p>What happens there.</p>',
  event_link: 'https://www.example.com/',
  podcast_link: 'https://youtu.be/abcdefghijk',
};

const ads = AD_SLOTS.map(
  (slot): CmsAdvertisement => ({
    banner_type: slot,
    banner_img: '/ads/sample.jpg',
    banner_name: 'Sample',
    dest_url: 'https://www.example.com/',
    duration_time: 5,
    pixel_url: null,
  }),
);

const author: CmsAuthor = {
  author_name: 'sample',
  author_display_name: 'Sample Author',
  author_description: '<p>Writes samples.</p>',
  author_photo: '/authors/sample.jpg',
  author_url: null,
};

const categories: CmsCategory[] = [{ cat_slug: 'news', cat_name: 'News' }];
const subcategories: CmsSubcategory[] = [{ subcat_slug: 'sample', subcat_name: 'Sample' }];
const pagination = { totalItems: 80, totalPages: 10 };
const TAG_LISTS = [
  'news',
  'featured',
  'quickbytes',
  'podcasts',
  'interview',
  'futureready',
  'guestauthor',
  'learningcenter',
];

/** A response of each upstream GET, by the start of its path. */
const responses: readonly [string, unknown][] = [
  ['/api/post/latestPost', { newsData: posts, quickByteData: posts }],
  ['/api/post/leadership', { podcastData: posts, inteviewData: posts, guestPostData: posts }],
  ['/api/post/featured', { articleData: posts, learningData: posts }],
  ['/api/post/tag/', { posts: Object.fromEntries(TAG_LISTS.map((name) => [name, posts])) }],
  ['/api/post/topic/', { posts: { postData: posts, pagination } }],
  ['/api/post/author/', { posts: { postData: posts, pagination } }],
  ['/api/post/asidetopic/', { result: posts }],
  // It is at whatever address it is asked for.
  ['/api/post/postdetails/', { result: posts.map((post) => ({ ...post, cat_slug: null, post_name: null })) }],
  ['/api/post/search/', { success: true, result: { postData: posts, pagination } }],
  ['/api/post/', posts],
  ['/api/author/', { result: [author] }],
  ['/api/category/all', categories],
  ['/api/category/subcatlist', subcategories],
  ['/api/advertisement/', ads],
  ['/api/event/eventdetails/', { eventData: [event] }],
  ['/api/event/', { responseData: { eventData: [event], pagination } }],
];

/**
 * Starts an upstream on loopback that responds to every GET with the same few samples. Over HTTP: without a call of its
 * client the first page that is not cached takes 145 ms of processor time, with it 55. Rejects where it cannot listen.
 */
export async function startSampleUpstream(): Promise<{ origin: string; close(): void }> {
  const server = createServer(({ url = '' }, response) => {
    const [, body] = responses.find(([path]) => url.startsWith(path)) ?? [];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? null));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the sample upstream has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWordpress } from './wordpress.ts';

/** `node tests/wordpress/record-responses.ts`: writes what a real WordPress responds, for the unit tests of its adapter. */

const FIELDS =
  'id,slug,link,categories,content.protected,date_gmt,modified_gmt,title,excerpt,author,_links,_embedded,content.rendered';
const EMBED = '_embed=author,wp:featuredmedia';
const POSTS = `/wp-json/wp/v2/posts?${EMBED}&_fields=${FIELDS}`;
const PATHS = {
  front: '/',
  index: '/wp-json/?_fields=home,url,namespaces',
  categories: '/wp-json/wp/v2/categories?per_page=100&_fields=id,slug,name,parent,count,link',
  tags: '/wp-json/wp/v2/tags?per_page=5&orderby=count&order=desc&_fields=id,slug,name,parent,count,link',
  media: '/wp-json/wp/v2/media?per_page=2&_fields=source_url',
  blocks: `${POSTS}&slug=every-block`,
  classic: `${POSTS}&slug=classic-post`,
  protected: `${POSTS}&slug=behind-a-password`,
  emoji: `${POSTS}&slug=${encodeURIComponent('launch-🚀-day')}`,
  beyond: '/wp-json/wp/v2/posts?page=9999',
  user: '/wp-json/wp/v2/users/2',
};

const wordpress = await startWordpress({ port: 4180 });
const record = async (path: string) => {
  const response = await fetch(wordpress.url + path, { redirect: 'manual' });
  const names = ['content-type', 'link', 'x-wp-total', 'x-wp-totalpages'];
  const headers = names.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const text = await response.text();
  // Of a page that is no JSON its kind is all that matters.
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: isJson ? JSON.parse(text) : text.slice(0, 300),
  };
};
const recorded: Record<string, unknown> = {};
for (const [name, path] of Object.entries(PATHS)) recorded[name] = await record(path);
wordpress.turn('closed-users', true);
recorded['closedUser'] = await record(PATHS.user);
recorded['closedAuthor'] = await record(PATHS.classic);
wordpress.turn('closed-users', false);
wordpress.turn('closed-rest', true);
recorded['closedRest'] = await record(PATHS.index);
wordpress.turn('closed-rest', false);
wordpress.setMaintenance(true);
recorded['maintenance'] = await record(PATHS.blocks);
await wordpress.close();
writeFileSync(
  join(import.meta.dirname, '../fixtures/wordpress-responses.json'),
  `${JSON.stringify(recorded, null, 2).replaceAll(wordpress.url, 'https://example.org')}\n`,
);

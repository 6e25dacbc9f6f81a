/**
 * What the baselines render: the content of our home and article pages, asked for at the same upstream by the same calls.
 * Each gets a copy of this file, and asks with the fetch and the caching that its own documentation names.
 */
export type Ask = (path: string) => Promise<unknown>;

export interface Story {
  id: string;
  path: string;
  title: string;
  excerpt: string;
  section: string;
  author: string;
  date: string;
  minutes: string;
  image: string | null;
}

export interface Menus {
  menus: { name: string; columns: { title: string; stories: Story[] }[] }[];
}

export interface Home extends Menus {
  top: Story[];
  latest: Story[];
  popular: Story[];
  podcasts: Story[];
  guests: Story[];
  quickBytes: Story[];
  articles: Story[];
}

export interface Article extends Menus {
  story: Story;
  bodyHtml: string;
  author: { name: string; description: string; photo: string | null } | null;
  related: Story[];
  latest: Story[];
}

const IMAGE_HOST = process.env['IMAGE_HOST'] ?? '';

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function story(post: Record<string, unknown>): Story {
  const section = text(post['cat_slug']);
  const excerpt = text(post['p_content']) || text(post['post_content']) || text(post['meta_description']);
  return {
    id: text(post['id']),
    path: `/${section}/${text(post['post_name'])}`,
    title: text(post['post_title']),
    excerpt: excerpt.replace(/<[^>]*>/g, ' ').slice(0, 300),
    section,
    author: text(post['post_author']),
    date: text(post['post_date']).slice(0, 10),
    minutes: text(post['reading_time']),
    image: post['banner_img'] ? `${IMAGE_HOST}/${text(post['banner_img'])}` : null,
  };
}

const stories = (value: unknown) => list(value).map(story);

/** Returns the `srcset` of a picture. */
export function srcSet(image: string, widths: number[]): string {
  return widths.map((width) => `${image}?width=${width} ${width}w`).join(', ');
}

async function menusOf(ask: Ask): Promise<Menus> {
  const [latest, leadership, features] = (
    await Promise.all([ask('/api/post/latestPost'), ask('/api/post/leadership'), ask('/api/post/featured')])
  ).map(record);
  const column = (title: string, value: unknown) => ({ title, stories: stories(value).slice(0, 3) });
  return {
    menus: [
      {
        name: 'Latest',
        columns: [column('News', latest?.['newsData']), column('Quick Bytes', latest?.['quickByteData'])],
      },
      {
        name: 'Leadership',
        columns: [
          column('Podcasts', leadership?.['podcastData']),
          column('Featured Interview', leadership?.['inteviewData']),
          column('Guest Posts', leadership?.['guestPostData']),
        ],
      },
      {
        name: 'Features',
        columns: [
          column('Articles', features?.['articleData']),
          column('Learning Center', features?.['learningData']),
        ],
      },
    ],
  };
}

/** Loads the home page's content. Rejects where a call fails. */
export async function home(ask: Ask): Promise<Home> {
  const [menus, top, latest, popular, podcasts, guests, quickBytes, articles] = await Promise.all([
    menusOf(ask),
    ask('/api/post/homelatest'),
    ask('/api/post/homelatestnews'),
    ask('/api/post/homepopular'),
    ask('/api/post/homepodcast'),
    ask('/api/post/homeinterview'),
    ask('/api/post/homequickbyte'),
    ask('/api/post/homearticle'),
  ]);
  return {
    ...menus,
    top: stories(top).slice(0, 3),
    latest: stories(latest),
    popular: stories(popular),
    podcasts: stories(podcasts),
    guests: stories(guests),
    quickBytes: stories(quickBytes),
    articles: stories(articles).slice(1, 4),
  };
}

/** Loads an article's content; null where there is none. Rejects where a call fails. */
export async function article(ask: Ask, category: string, slug: string): Promise<Article | null> {
  const [menus, latest, details] = await Promise.all([
    menusOf(ask),
    ask('/api/post/latest'),
    ask(`/api/post/postdetails/${category}/${slug}`),
  ]);
  const post = list(record(details)['result'])[0];
  if (!post) return null;
  const [authors, related] = await Promise.all([
    ask(`/api/author/${text(post['post_author_id'])}`),
    ask(`/api/post/asidetopic/${category}`),
  ]);
  const author = list(record(authors)['result'])[0];
  return {
    ...menus,
    story: story(post),
    bodyHtml: text(post['post_content']),
    author: author
      ? {
          name: text(author['author_display_name'] || author['author_name']),
          description: text(author['author_description']),
          photo: author['author_photo'] ? `${IMAGE_HOST}/${text(author['author_photo'])}` : null,
        }
      : null,
    related: stories(record(related)['result']).filter(({ title }) => title !== text(post['post_title'])),
    latest: stories(latest),
  };
}

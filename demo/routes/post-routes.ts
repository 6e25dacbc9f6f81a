import type { FastifyInstance } from 'fastify';
import type { PostRepository } from '#demo/post-repository.ts';
import type { Post } from '#demo/publish-content.ts';
import type { Search } from '#demo/search.ts';
import { describedPost, fullPost, listedPost } from '#demo/serializers.ts';
import { pageOf, positiveInteger } from './paging.ts';

const TAG_LISTS = {
  news: 'news',
  featured: 'featured',
  quickbytes: 'quickbytes',
  podcasts: 'podcasts',
  interview: 'interview',
  futureready: 'future-ready',
  guestauthor: 'guest-author',
  learningcenter: 'learning-center',
} as const;

const MENU_COLUMN = 6;
const TAG_LIST = 12;
const SEARCH_PAGE = 20;
const AUTHOR_PAGE = 10;
const TOPIC_PAGE = { usual: 10, most: 100 };

export interface PostRoutesDeps {
  repository: PostRepository;
  search: Search;
  /** Stored views by post id. */
  views(): ReadonlyMap<string, number>;
}

type ListQuery = Record<string, unknown>;

/** `/api/post/...`: every GET call of the specification, section 7, and an author's posts. */
export function postRoutes(app: FastifyInstance, { repository, search, views }: PostRoutesDeps): void {
  const column = (category: string) => repository.newest(MENU_COLUMN, { category }).map(listedPost);
  const list = (path: string, posts: () => Post[]) =>
    app.get(`/api/post/${path}`, async () => posts().map(listedPost));

  app.get('/api/post/latestPost', async () => ({
    newsData: column('news'),
    quickByteData: column('quickbytes'),
  }));
  app.get('/api/post/leadership', async () => ({
    podcastData: column('podcasts'),
    inteviewData: column('interview'),
    guestPostData: column('guest-author'),
  }));
  app.get('/api/post/featured', async () => ({
    articleData: column('featured'),
    learningData: column('learning-center'),
  }));

  list('homelatest', () => repository.frontPage(6));
  // The lists of the home page repeat none of its first stories.
  const without = repository.frontPage(3);
  list('homelatestnews', () => repository.newest(8, { category: 'news', without }));
  list('homepopular', () => repository.popular(8, views()));
  list('homeinterview', () => repository.voices(8, { without }));
  list('homequickbyte', () => repository.newest(7, { category: 'quickbytes', without }));
  list('homearticle', () => repository.newest(6, { category: 'featured', without }));
  list('homepodcast', () => repository.newest(4, { category: 'podcasts', without }));
  list('latest', () => repository.newest(10));

  app.get<{ Params: { subcat: string } }>('/api/post/tag/:subcat', async ({ params }) => {
    const posts = Object.entries(TAG_LISTS).map(([name, category]) => [
      name,
      repository.newest(TAG_LIST, { category, subcategory: params.subcat }).map(describedPost),
    ]);
    return { posts: Object.fromEntries(posts) };
  });

  app.get<{ Params: { category: string; subcat?: string }; Querystring: ListQuery }>(
    '/api/post/topic/:category/:subcat?',
    async ({ params, query }) => {
      const { items, pagination } = pageOf(
        repository.select({ category: params.category, subcategory: params.subcat || undefined }),
        positiveInteger(query.page, 1),
        positiveInteger(query.limit, TOPIC_PAGE.usual, TOPIC_PAGE.most),
      );
      return { posts: { postData: items.map(describedPost), pagination } };
    },
  );

  app.get<{ Params: { id: string }; Querystring: ListQuery }>(
    '/api/post/author/:id',
    async ({ params, query }) => {
      const page = positiveInteger(query.page, 1);
      const { items, pagination } = pageOf(repository.select({ author: params.id }), page, AUTHOR_PAGE);
      return { posts: { postData: items.map(describedPost), pagination } };
    },
  );

  app.get<{ Params: { category: string } }>('/api/post/asidetopic/:category', async ({ params }) => ({
    result: repository.newest(8, { category: params.category }).map(describedPost),
  }));

  app.get<{ Params: { category: string; slug: string } }>(
    '/api/post/postdetails/:category/:slug',
    async ({ params }) => {
      const post = repository.find(params.category, params.slug);
      return { result: post ? [fullPost(post)] : [] };
    },
  );

  app.get<{ Params: { category: string; term: string }; Querystring: ListQuery }>(
    '/api/post/search/:category/:term',
    async ({ params, query }) => {
      const found = search(params.category, params.term);
      const { items, pagination } = pageOf(found, positiveInteger(query.page, 1), SEARCH_PAGE);
      return { success: true, result: { postData: items.map(describedPost), pagination } };
    },
  );
}

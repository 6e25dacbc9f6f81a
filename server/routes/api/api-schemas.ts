import { z } from 'zod';
import type { Advertisement } from '#shared/models/advertisement.ts';
import { AD_SLOTS } from '#shared/models/advertisement.ts';
import type { ArticlePage } from '#shared/models/article.ts';
import type { EventPage, EventsPage } from '#shared/models/event.ts';
import { EVENT_TABS } from '#shared/models/event.ts';
import type { Home } from '#shared/models/home.ts';
import type { Navigation } from '#shared/models/navigation.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { TagPage } from '#shared/models/tag.ts';
import type { SearchPage, SitemapPage, TopicPage } from '#shared/models/topic.ts';

/**
 * The schemas of the JSON API. Every response is validated against them, and `/api/openapi.json` is generated from them.
 * An id is a schema's name there.
 */

const text = z.string().nullable();
const date = z.iso.datetime().nullable();

const Post = z
  .object({
    id: z.string(),
    category: z.string(),
    slug: z.string(),
    title: z.string(),
    excerpt: text,
    author: text,
    publishedAt: date,
    image: text,
    readingMinutes: z.number().nullable(),
    hasVideo: z.boolean(),
  })
  .meta({ id: 'Post' }) satisfies z.ZodType<PostSummary>;

const Posts = z.array(Post);

const PostHeadResponse = Post.omit({ excerpt: true }).meta({ id: 'PostHead' });

const HeadlineResponse = Post.pick({
  id: true,
  category: true,
  slug: true,
  title: true,
  author: true,
  publishedAt: true,
}).meta({ id: 'Headline' });

const MenuItemResponse = Post.pick({
  id: true,
  category: true,
  slug: true,
  title: true,
  author: true,
  publishedAt: true,
  image: true,
}).meta({ id: 'MenuItem' });

const Ad = z
  .object({ slot: z.enum(AD_SLOTS), image: z.string(), name: z.string(), href: text, seconds: z.number() })
  .meta({ id: 'Advertisement' }) satisfies z.ZodType<Advertisement>;

const Ads = z.array(Ad);

const Pagination = z
  .object({ page: z.number(), limit: z.number(), totalItems: z.number(), totalPages: z.number() })
  .meta({ id: 'Pagination' });

const Category = z.object({ slug: z.string(), name: z.string() }).meta({ id: 'Category' });

const Video = z.object({ provider: z.enum(['youtube', 'vimeo']), id: z.string() }).nullable();

const Sidebar = z
  .object({ latest: z.array(HeadlineResponse), popular: z.array(HeadlineResponse) })
  .meta({ id: 'Sidebar' });

export const NavigationResponse = z.object({
  menus: z.array(
    z.object({
      name: z.enum(['Latest', 'Leadership', 'Features']),
      columns: z.array(
        z.object({ title: z.string(), category: z.string(), items: z.array(MenuItemResponse) }),
      ),
      failed: z.boolean(),
    }),
  ),
}) satisfies z.ZodType<Navigation>;

export const HomeResponse = z.object({
  top: Posts,
  sidebar: Sidebar,
  podcasts: Posts,
  guests: Posts,
  quickBytes: Posts,
  articles: Posts,
  ads: Ads,
}) satisfies z.ZodType<Home>;

export const TagResponse = z.object({
  subcategory: z.string(),
  isKnown: z.boolean(),
  news: Posts,
  articles: Posts,
  quickBytes: Posts,
  podcasts: Posts,
  hotSeats: Posts,
  futureReady: Posts,
  guestAuthors: Posts,
  learningCenter: Posts,
  ads: Ads,
}) satisfies z.ZodType<TagPage>;

export const TopicResponse = z.object({
  category: z.string(),
  subcategory: text,
  posts: Posts,
  pagination: Pagination,
  subcategories: z.array(Category),
  ads: Ads,
}) satisfies z.ZodType<TopicPage>;

export const ArticleResponse = z.object({
  article: z.object({
    id: z.string(),
    category: z.string(),
    slug: z.string(),
    title: z.string(),
    author: text,
    publishedAt: date,
    description: text,
    keywords: z.array(z.string()),
    image: text,
    banner: text,
    video: Video,
    readingMinutes: z.number().nullable(),
    bodyHtml: z.string(),
    headings: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        level: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
        number: text,
      }),
    ),
  }),
  author: z.object({ name: z.string(), description: text, photo: text }).nullable(),
  latest: z.array(PostHeadResponse),
  related: z.array(PostHeadResponse),
  ads: Ads,
}) satisfies z.ZodType<ArticlePage>;

export const EventsResponse = z.object({
  tab: z.enum(EVENT_TABS),
  events: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      title: z.string(),
      banner: text,
      location: text,
      date,
      description: z.string(),
    }),
  ),
  pagination: z.object({ page: z.number(), totalPages: z.number() }),
}) satisfies z.ZodType<EventsPage>;

export const EventResponse = z.object({
  event: z.object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    banner: text,
    location: text,
    date,
    endDate: date,
    descriptionHtml: z.string(),
    summary: z.string(),
    link: text,
    video: Video,
  }),
  sidebar: Sidebar,
  ads: Ads,
}) satisfies z.ZodType<EventPage>;

export const SearchResponse = z.object({
  category: z.string(),
  term: z.string(),
  posts: Posts,
  pagination: Pagination,
  categories: z.array(Category),
  ads: Ads,
}) satisfies z.ZodType<SearchPage>;

export const SitemapResponse = z.object({
  subcategories: z.array(Category),
  failure: text,
}) satisfies z.ZodType<SitemapPage>;

/** A post's id: upstream ids are numbers, or slugs where an upstream has none. */
export const ViewBody = z.object({
  postId: z.union([z.string().regex(/^[\w-]{1,200}$/), z.int().positive().transform(String)]),
});

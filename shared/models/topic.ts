import { z } from 'zod';
import { Advertisement } from './advertisement.ts';
import { Pagination, PostSummary } from './post.ts';

/** A category or sub-category. */
const Category = z.object({ slug: z.string(), name: z.string() }).meta({ id: 'Category' });

/** One page of a topic's list. */
export const TopicPage = z.object({
  category: z.string(),
  subcategory: z.string().nullable(),
  posts: z.array(PostSummary),
  pagination: Pagination,
  subcategories: z.array(Category),
  /** Post-1 and Footer-3. */
  ads: z.array(Advertisement),
});

/** One page of search results. */
export const SearchPage = z.object({
  category: z.string(),
  term: z.string(),
  posts: z.array(PostSummary),
  pagination: Pagination,
  categories: z.array(Category),
  /** Footer-3; the page shows the first. */
  ads: z.array(Advertisement),
});

/** Data of the sitemap page. */
export const SitemapPage = z.object({
  /** Sections with their latest posts. */
  sections: z.array(
    z.object({
      slug: z.string(),
      label: z.string(),
      latest: z.array(PostSummary.pick({ id: true, category: true, slug: true, title: true })),
    }),
  ),
  subcategories: z.array(Category),
  /** Error message if the list failed to load, shown in its place; else null. */
  failure: z.string().nullable(),
});

export type Category = z.infer<typeof Category>;
export type TopicPage = z.infer<typeof TopicPage>;
export type SearchPage = z.infer<typeof SearchPage>;
export type SitemapPage = z.infer<typeof SitemapPage>;

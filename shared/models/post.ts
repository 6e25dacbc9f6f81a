import { z } from 'zod';

/** A post as cards and list rows show it. */
export const PostSummary = z
  .object({
    id: z.string(),
    /** Category slug: first segment of the post's path. */
    category: z.string(),
    /** Name of a category that is no section of the site; absent where the upstream does not say. */
    categoryName: z.string().optional(),
    /** Second segment of the path; also the image's `alt` (specification). */
    slug: z.string(),
    /** Plain text. */
    title: z.string(),
    /** Plain text. */
    excerpt: z.string().nullable(),
    author: z.string().nullable(),
    /** ISO 8601, in UTC or with the offset of the site's time zone. */
    publishedAt: z.iso.datetime({ offset: true }).nullable(),
    /** URL of the image without its width; see `imageUrl` in `shared/urls.ts`. */
    image: z.string().nullable(),
    readingMinutes: z.number().nullable(),
    hasVideo: z.boolean(),
    /** When it was last changed; absent where the upstream does not say. */
    modifiedAt: z.iso.datetime({ offset: true }).optional(),
    /** Who paid for it; absent: nobody. */
    sponsor: z.string().optional(),
  })
  .meta({ id: 'Post' });

/** A post as cards without an excerpt show it. */
export const PostHead = PostSummary.omit({ excerpt: true }).meta({ id: 'PostHead' });

const HEADLINE = {
  id: true,
  category: true,
  slug: true,
  title: true,
  author: true,
  publishedAt: true,
  sponsor: true,
} as const;

/** A post as sidebars show it. */
export const Headline = PostSummary.pick(HEADLINE).meta({ id: 'Headline' });

/** A post as menus show it. */
export const MenuItem = PostSummary.pick({ ...HEADLINE, image: true }).meta({ id: 'MenuItem' });

/** Position of a page in a list. `page` counts from 1. */
export const Pagination = z
  .object({ page: z.number(), limit: z.number(), totalItems: z.number(), totalPages: z.number() })
  .meta({ id: 'Pagination' });

export type PostSummary = z.infer<typeof PostSummary>;
export type PostHead = z.infer<typeof PostHead>;
export type Headline = z.infer<typeof Headline>;
export type MenuItem = z.infer<typeof MenuItem>;
export type Pagination = z.infer<typeof Pagination>;

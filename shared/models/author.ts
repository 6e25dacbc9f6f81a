import { z } from 'zod';
import { Advertisement } from './advertisement.ts';
import { PostSummary } from './post.ts';

/** The author of a post. `photo`: null for the default photo. */
export const Author = z.object({
  name: z.string(),
  description: z.string().nullable(),
  photo: z.string().nullable(),
  /** The author's own page elsewhere. */
  url: z.url().optional(),
});

/** Data of an author's page. */
export const AuthorPage = z.object({
  id: z.string(),
  author: Author,
  posts: z.array(PostSummary),
  pagination: z.object({ page: z.number(), totalPages: z.number() }),
  /** Post-1 and Footer-3. */
  ads: z.array(Advertisement),
});

export type Author = z.infer<typeof Author>;
export type AuthorPage = z.infer<typeof AuthorPage>;

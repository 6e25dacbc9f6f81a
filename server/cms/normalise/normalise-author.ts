import { z } from 'zod';
import { cmsAddress, cmsText, required } from '#server/cms/lenient-parsing.ts';
import type { Author } from '#shared/models/author.ts';
import type { ImageResolver } from './normalise-image.ts';
import { normaliseLink } from './normalise-link.ts';
import type { CmsPost } from './normalise-post.ts';
import { plainText } from './normalise-text.ts';

export const cmsAuthor = z.object({
  author_name: cmsText,
  author_display_name: cmsText,
  author_description: cmsText,
  author_photo: cmsAddress,
  // Not in the specification: used where an upstream sends it.
  author_url: cmsAddress,
});
export type CmsAuthor = z.infer<typeof cmsAuthor>;

/** Returns an author, by the display name where there is one. Left out without a name. */
export function normaliseAuthor(author: CmsAuthor, imageOf: ImageResolver): Author {
  const name = plainText(author.author_display_name) ?? plainText(author.author_name);
  return {
    name: required(name, 'no name'),
    description: plainText(author.author_description),
    photo: imageOf(author.author_photo),
    ...urlOf(author.author_url),
  };
}

/** Returns the author as a post names them, for an upstream that says no more; null where it has no name. */
export function authorOfPost(post: CmsPost): Author | null {
  const name = plainText(post.post_author);
  if (name === null) return null;
  return { name, description: null, photo: null, ...urlOf(post.author_url) };
}

function urlOf(address: string | null): Pick<Author, 'url'> {
  const url = normaliseLink(address);
  return url === null ? {} : { url };
}

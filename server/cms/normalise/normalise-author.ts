import type { CmsAuthor } from '#server/cms/cms-entity-schemas.ts';
import { type LeftOut, leftOut } from '#server/cms/parse-list.ts';
import type { Author } from '#shared/models/article.ts';
import type { ImageResolver } from './normalise-image.ts';
import { plainText } from './normalise-text.ts';

/** Returns an author, by the display name where there is one. Left out without a name. */
export function normaliseAuthor(author: CmsAuthor, imageOf: ImageResolver): Author | LeftOut {
  const name = plainText(author.author_display_name) ?? plainText(author.author_name);
  if (name === null) return leftOut('no name');
  return { name, description: plainText(author.author_description), photo: imageOf(author.author_photo) };
}

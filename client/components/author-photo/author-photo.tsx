import { useFailedImage } from '#client/hooks/use-failed-image.ts';
import type { Author } from '#shared/models/author.ts';
import { DEFAULT_PHOTO, imageSources } from '#shared/urls.ts';
import './author-photo.css';

/** Renders an author's photo, or the default one (specification, section 9: author images are 300 or 500 wide). */
export function AuthorPhoto({ author: { name, photo } }: { author: Author }) {
  const { hasFailed, watch } = useFailedImage(photo);
  return (
    <img
      {...watch}
      {...(photo === null || hasFailed
        ? { src: DEFAULT_PHOTO }
        : imageSources(photo, 300, '104px', [300, 500]))}
      className="author-photo"
      alt={name}
      width={300}
      height={300}
      loading="lazy"
    />
  );
}

/** Renders the author's photo small, for the byline; nothing where it fails. */
export function SmallAuthorPhoto({ photo }: { photo: string }) {
  const { hasFailed, watch } = useFailedImage(photo);
  if (hasFailed) return null;
  return (
    <img
      {...watch}
      {...imageSources(photo, 300, '40px', [300])}
      className="article-portrait"
      alt=""
      width={300}
      height={300}
    />
  );
}

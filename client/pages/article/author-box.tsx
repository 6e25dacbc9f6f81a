import type { Author } from '#shared/models/article.ts';
import { imageSrcSet, imageUrl } from '#shared/urls.ts';

/** For authors without a photo. */
const DEFAULT_PHOTO = '/default-author.svg';

/** Renders the article's author (specification, section 9: author images are 300 or 500 wide). */
export function AuthorBox({ author: { name, description, photo } }: { author: Author }) {
  return (
    <section className="author-box" aria-label="About the author">
      <img
        src={photo === null ? DEFAULT_PHOTO : imageUrl(photo, 300)}
        srcSet={photo === null ? undefined : imageSrcSet(photo, [300, 500])}
        sizes={photo === null ? undefined : '104px'}
        alt={name}
        width={300}
        height={300}
        loading="lazy"
      />
      <div>
        <p className="author-box-name">{name}</p>
        {description !== null && <p className="author-box-description">{description}</p>}
      </div>
    </section>
  );
}

import type { Author } from '#shared/models/article.ts';
import { imageSources } from '#shared/urls.ts';

/** For authors without a photo. */
const DEFAULT_PHOTO = '/default-author.svg';

/** Renders the article's author (specification, section 9: author images are 300 or 500 wide). */
export function AuthorBox({ author: { name, description, photo } }: { author: Author }) {
  return (
    <section className="author-box" aria-label="About the author">
      <img
        {...(photo === null ? { src: DEFAULT_PHOTO } : imageSources(photo, 300, '104px', [300, 500]))}
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

import { useFailedImage } from '#client/hooks/use-failed-image.ts';
import { useTexts } from '#client/layout/site-context.tsx';
import type { Author } from '#shared/models/article.ts';
import * as en from '#shared/texts/en.ts';
import { imageSources } from '#shared/urls.ts';

/** For authors whose photo is missing or fails. */
const DEFAULT_PHOTO = '/default-author.svg';

/** Renders the author's photo small, for the byline; nothing where it fails. */
export function Portrait({ photo }: { photo: string }) {
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

/** Renders the article's author (specification, section 9: author images are 300 or 500 wide). */
export function AuthorBox({ author: { name, description, photo } }: { author: Author }) {
  const t = useTexts();
  const { hasFailed, watch } = useFailedImage(photo);
  return (
    <section id="author" className="author-box" aria-label={t(en.aboutTheAuthor)}>
      <img
        {...watch}
        {...(photo === null || hasFailed
          ? { src: DEFAULT_PHOTO }
          : imageSources(photo, 300, '104px', [300, 500]))}
        alt={name}
        width={300}
        height={300}
        loading="lazy"
      />
      <div>
        <p className="author-box-name" dir="auto">
          {name}
        </p>
        {description !== null && (
          <p className="author-box-description" dir="auto">
            {description}
          </p>
        )}
      </div>
    </section>
  );
}

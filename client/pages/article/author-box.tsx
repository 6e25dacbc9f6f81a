import { AuthorPhoto } from '#client/components/author-photo/author-photo.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import type { Author } from '#shared/models/author.ts';
import * as en from '#shared/texts/en.ts';
import { authorPath } from '#shared/urls.ts';

/** Renders the article's author. `page`: id of the author's page; null where there is none. */
export function AuthorBox({ author, page }: { author: Author; page: string | null }) {
  const t = useTexts();
  const { name, description } = author;
  return (
    <section id="author" className="author-box" aria-label={t(en.aboutTheAuthor)}>
      <AuthorPhoto author={author} />
      <div>
        <p className="author-box-name" dir="auto">
          {page === null ? name : <a href={authorPath(page)}>{name}</a>}
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

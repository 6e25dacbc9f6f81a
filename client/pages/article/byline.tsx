import { Phrase } from '#client/components/phrase/phrase.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import { formatDate } from '#shared/dates.ts';
import type { ArticlePage } from '#shared/models/article.ts';
import * as en from '#shared/texts/en.ts';
import { authorPath } from '#shared/urls.ts';

const DAY_MS = 86_400_000;

/** Renders `By {author} | {short date}`, without the part that is unknown, and a change that came a day later or more. */
export function Byline({ article, authorPage }: Pick<ArticlePage, 'article' | 'authorPage'>) {
  const t = useTexts();
  const { author, publishedAt, modifiedAt } = article;
  const isChanged =
    modifiedAt !== null && publishedAt !== null && Date.parse(modifiedAt) - Date.parse(publishedAt) >= DAY_MS;
  return (
    <span className="article-byline">
      {author !== null && (
        <Phrase text={t(en.byAuthor)}>
          <bdi>{authorPage === null ? author : <a href={authorPath(authorPage)}>{author}</a>}</bdi>
        </Phrase>
      )}
      {author !== null && publishedAt !== null && ' | '}
      {publishedAt !== null && <time dateTime={publishedAt}>{formatDate(en.shortDate, publishedAt, t)}</time>}
      {isChanged && (
        <>
          {` | ${t(en.updated)} `}
          <time dateTime={modifiedAt}>{formatDate(en.shortDate, modifiedAt, t)}</time>
        </>
      )}
    </span>
  );
}

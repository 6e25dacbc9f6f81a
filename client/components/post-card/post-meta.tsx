import { useTexts } from '#client/layout/site-context.tsx';
import { formatDate } from '#shared/dates.ts';
import type { PostSummary } from '#shared/models/post.ts';
import * as en from '#shared/texts/en.ts';

type PostMetaProps = Pick<PostSummary, 'author' | 'publishedAt'> &
  Partial<Pick<PostSummary, 'readingMinutes'>> & { sponsor?: string | undefined };

/** Renders who paid for it, author, date and reading time, as far as they are known. */
export function PostMeta({ post }: { post: PostMetaProps }) {
  const t = useTexts();
  const { author, publishedAt, readingMinutes = null, sponsor } = post;
  if (!sponsor && author === null && publishedAt === null && readingMinutes === null) return null;
  return (
    <p className="post-meta">
      {sponsor && <span>{t(en.sponsoredBy, { sponsor })}</span>}
      {author !== null && (
        <span>
          <bdi>{author}</bdi>
        </span>
      )}
      {(publishedAt !== null || readingMinutes !== null) && (
        <span className="post-meta-when">
          {publishedAt !== null && (
            <time dateTime={publishedAt}>{formatDate(en.shortDate, publishedAt, t)}</time>
          )}
          {readingMinutes !== null && <span>{t(en.minutesToRead, { minutes: readingMinutes })}</span>}
        </span>
      )}
    </p>
  );
}

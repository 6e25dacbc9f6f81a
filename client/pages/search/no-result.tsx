import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { Logo } from '#client/components/logo/logo.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import type { Category } from '#shared/models/topic.ts';
import * as en from '#shared/texts/en.ts';
import { topicPath } from '#shared/urls.ts';

/** Renders the empty state of a search: hints, the topics, and recent articles. */
export function NoResult({ categories }: { categories: readonly Category[] }) {
  const t = useTexts();
  return (
    <>
      <div className="status-page search-none">
        <Logo />
        <p>{t(en.searchHints)}</p>
        <ul className="search-topics">
          <KeyedList items={categories}>
            {({ slug, name }) => (
              <li>
                <a href={topicPath(slug)} dir="auto">
                  {name}
                </a>
              </li>
            )}
          </KeyedList>
        </ul>
      </div>
      <RecentPosts />
    </>
  );
}

import { useRouteLoaderData } from 'react-router';
import { CardGrid } from '#client/components/card-grid/card-grid.tsx';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import type { Navigation } from '#shared/models/navigation.ts';
import * as en from '#shared/texts/en.ts';
import './recent-posts.css';

const POST_COUNT = 3;

/** Renders the newest posts of the menus, for pages without content of their own. */
export function RecentPosts() {
  const t = useTexts();
  const navigation = useRouteLoaderData<Navigation>('root');
  const items =
    navigation?.menus.flatMap(({ columns }) => columns.flatMap((column) => column.items.slice(0, 1))) ?? [];
  const posts = items.slice(0, POST_COUNT);
  if (posts.length === 0) return null;
  return (
    <section className="recent-posts">
      <SectionHeading title={t(en.recentArticles)} />
      <CardGrid posts={posts} />
    </section>
  );
}

import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostMeta } from '#client/components/post-card/post-meta.tsx';
import { Tabs } from '#client/components/tabs/tabs.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import type { SidebarLists } from '#shared/models/home.ts';
import type { Headline } from '#shared/models/post.ts';
import * as en from '#shared/texts/en.ts';
import { articlePath } from '#shared/urls.ts';
import './sidebar.css';

/** Renders the Latest and Popular lists as tabs, Latest first. */
export function Sidebar({ lists }: { lists: SidebarLists }) {
  const t = useTexts();
  return (
    <Tabs
      label={t(en.posts)}
      tabs={[
        { label: t(en.latest), panel: <HeadlineList posts={lists.latest} /> },
        { label: t(en.popular), panel: <HeadlineList posts={lists.popular} numbered /> },
      ]}
    />
  );
}

function HeadlineList({ posts, numbered }: { posts: readonly Headline[]; numbered?: boolean }) {
  const t = useTexts();
  if (posts.length === 0) return <p className="empty">{t(en.noPosts)}</p>;
  return (
    <ol className={`headline-list${numbered ? ' is-numbered' : ''}`}>
      <KeyedList items={posts}>
        {(post) => (
          <li data-section={post.category}>
            <a href={articlePath(post)} rel={post.sponsor && 'sponsored'} dir="auto">
              {post.title}
            </a>
            <PostMeta post={post} />
          </li>
        )}
      </KeyedList>
    </ol>
  );
}

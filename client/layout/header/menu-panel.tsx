import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostMeta } from '#client/components/post-card/post-meta.tsx';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import type { Menu, MenuColumn } from '#shared/models/navigation.ts';
import type { MenuItem } from '#shared/models/post.ts';
import * as en from '#shared/texts/en.ts';
import { articlePath, topicPath } from '#shared/urls.ts';

/** Returns the id of a menu's panel: without spaces, which a name may have. */
export function menuId({ name }: Menu): string {
  return `menu-${name.replaceAll(' ', '-')}`;
}

/** Renders the panel of a menu: its columns, each with its newest posts and See More. */
export function MenuPanel({ menu }: { menu: Menu }) {
  const t = useTexts();
  return (
    <div id={menuId(menu)} className="menu-panel" popover="auto">
      <div className="page">
        {menu.failed && <p className="menu-failure">{t(en.menuFailure)}</p>}
        <div className="menu-columns">
          {menu.columns.map((column) => (
            <Column key={column.title} column={column} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Column({ column }: { column: MenuColumn }) {
  const t = useTexts();
  return (
    <section className="menu-column" data-section={column.category} aria-label={column.title}>
      <div className="menu-column-head">
        <p className="menu-column-title">{column.title}</p>
        <a href={topicPath(column.category)} className="see-more">
          {t(en.seeMore)}
          <span className="visually-hidden"> {t(en.ofTitle, { title: column.title })}</span>
        </a>
      </div>
      <ul className="menu-items">
        <KeyedList items={column.items}>{(post) => <Item post={post} />}</KeyedList>
      </ul>
    </section>
  );
}

/** Specification, section 9: menu thumbnails are 300 wide. */
function Item({ post }: { post: MenuItem }) {
  return (
    <li className="menu-item">
      {post.image !== null && (
        <ResponsiveImage image={post.image} alt={post.slug} width={300} sizes="96px" ratio="3/2" />
      )}
      <div>
        <a href={articlePath(post)} className="menu-item-title" dir="auto">
          {post.title}
        </a>
        <PostMeta post={post} />
      </div>
    </li>
  );
}

import { useLocation, useRouteLoaderData } from 'react-router';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { PostMeta } from '#client/components/post-card/post-meta.tsx';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import { SeeMore } from '#client/components/section-heading/section-heading.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import { useSiteLinks } from '#client/layout/site-links.ts';
import type { Menu, MenuColumn, Navigation } from '#shared/models/navigation.ts';
import type { MenuItem } from '#shared/models/post.ts';
import * as en from '#shared/texts/en.ts';
import { articlePath, pathSegment, topicPath } from '#shared/urls.ts';

/** Returns the id of a menu's panel: without what a name may have and an id in a selector may not. */
function menuId({ name }: Menu): string {
  return `menu-${name.replace(/[\s"\\]/g, '-')}`;
}

/** Renders the menus and the links beside them: in the bar, and on phones in a sheet that the button Menu opens. */
export function Menus() {
  const t = useTexts();
  const navigation = useRouteLoaderData<Navigation>('root');
  const { pathname } = useLocation();
  const links = useSiteLinks('header');
  const section = pathSegment(pathname, pathname.startsWith('/topic/') ? 1 : 0);
  return (
    <nav id="menus" className="menus" aria-label={t(en.mainMenu)} popover="auto">
      <ul className="menus-list">
        {navigation?.menus.map((menu) => (
          <li key={menu.name} className="menus-item">
            <PopoverButton
              opens={menuId(menu)}
              className={
                menu.columns.some(({ category }) => category === section)
                  ? 'menus-button is-current'
                  : 'menus-button'
              }
            >
              {menu.name}
            </PopoverButton>
            <MenuPanel menu={menu} />
          </li>
        ))}
        {links.map(({ href, name }) => (
          <li key={href} className="menus-item">
            <a href={href} aria-current={href === `/${section}` ? true : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function MenuPanel({ menu }: { menu: Menu }) {
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
  return (
    <section className="menu-column" data-section={column.category} aria-label={column.title}>
      <div className="menu-column-head">
        <p className="menu-column-title">{column.title}</p>
        <SeeMore href={topicPath(column.category)} title={column.title} />
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
        <a href={articlePath(post)} rel={post.sponsor && 'sponsored'} className="menu-item-title" dir="auto">
          {post.title}
        </a>
        <PostMeta post={post} />
      </div>
    </li>
  );
}

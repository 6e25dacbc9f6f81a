import { useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { AuthorPhoto } from '#client/components/author-photo/author-photo.tsx';
import { centredWindow, Pagination } from '#client/components/pagination/pagination.tsx';
import { PostList } from '#client/components/post-list/post-list.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { AuthorPage } from '#shared/models/author.ts';
import * as en from '#shared/texts/en.ts';
import { authorPath } from '#shared/urls.ts';
import './author-page.css';

export const loader: PageLoader<AuthorPage> = ({ api, params: { id = '' }, page }) =>
  api.author({ id, page });

/** Renders who an author is, and their posts. */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const { id, author, posts, pagination, ads } = useLoaderData<typeof loader>();
  const { name, description, photo, url } = author;
  return (
    <div className="page author">
      <PageHead
        title={name}
        description={description ?? t(en.authorDescription, { author: name, name: site.name })}
        page={pagination.page}
        path={authorPath(id, pagination.page)}
        image={photo}
      />
      <header className="author-head">
        <AuthorPhoto author={author} />
        <h1 dir="auto">{name}</h1>
        {description !== null && (
          <p className="deck" dir="auto">
            {description}
          </p>
        )}
        {url && (
          <p>
            <a href={url} rel="noopener">
              {new URL(url).hostname}
            </a>
          </p>
        )}
      </header>
      <div className="ad-beside">
        <div>
          <PostList posts={posts} />
          <Pagination
            pagination={pagination}
            window={centredWindow}
            hrefOf={(number) => authorPath(id, number)}
          />
        </div>
        <AdSlot slot="Post-1" ads={ads} />
      </div>
      <AdSlot slot="Footer-3" ads={ads} />
    </div>
  );
}

import { useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { Prose } from '#client/components/prose/prose.tsx';
import { RichText } from '#client/components/rich-text/rich-text.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { OwnPage } from '#shared/models/own-page.ts';
import './own-page.css';

export const loader: PageLoader<OwnPage> = ({ api, url }) => api.ownPage({ name: url.pathname.slice(1) });

/** Renders a page in Markdown: of the publisher's own, or the privacy policy. */
export function Page() {
  const { name, title, description, deck, contents, bodyHtml } = useLoaderData<typeof loader>();
  return (
    <Prose title={title} deck={deck} aside={contents && <Contents {...contents} />}>
      <PageHead title={title} description={description || title} path={`/${name}`} />
      <RichText html={bodyHtml} />
    </Prose>
  );
}

function Contents({ title, entries }: NonNullable<OwnPage['contents']>) {
  return (
    <nav className="own-contents" aria-labelledby="own-contents">
      <h2 className="ruled-heading" id="own-contents">
        {title}
      </h2>
      <ol>
        {entries.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

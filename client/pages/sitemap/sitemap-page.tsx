import { useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { useSiteLinks } from '#client/layout/site-links.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import type { SitemapPage } from '#shared/models/topic.ts';
import * as en from '#shared/texts/en.ts';
import { articlePath, phoneUrl, tagPath, topicPath } from '#shared/urls.ts';
import './sitemap-page.css';

export const loader: PageLoader<SitemapPage> = ({ api }) => api.sitemap();

/** Renders the sitemap for readers: the sections with their latest posts, the pages, the sub-categories. */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const { sections, subcategories, failure } = useLoaderData<typeof loader>();
  const links = useSiteLinks('sitemap');
  return (
    <div className="page sitemap">
      <PageHead
        title={t(en.sitemap)}
        description={t(en.sitemapDescription, { name: site.name })}
        path="/sitemap"
      />
      <h1>{t(en.sitemap)}</h1>
      <section className="sitemap-topics" aria-labelledby="sitemap-topics">
        <h2 className="ruled-heading" id="sitemap-topics">
          {t(en.topics)}
        </h2>
        <ul>
          {sections.map(({ slug, label, latest }) => (
            <li key={slug} data-section={slug}>
              <h3>
                <a href={topicPath(slug)}>{label}</a>
              </h3>
              {latest.length > 0 && (
                <ul className="sitemap-latest">
                  <KeyedList items={latest}>
                    {(post) => (
                      <li>
                        <a href={articlePath(post)} dir="auto">
                          {post.title}
                        </a>
                      </li>
                    )}
                  </KeyedList>
                </ul>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="sitemap-pages">
        <h2 className="ruled-heading" id="sitemap-pages">
          {t(en.pages)}
        </h2>
        <ul>
          {links.map(({ name, href }) => (
            <li key={href}>
              <a href={href}>{name}</a>
            </li>
          ))}
        </ul>
      </section>
      {(failure !== null || subcategories.length > 0) && (
        <section aria-labelledby="sitemap-subcategories">
          <h2 className="ruled-heading" id="sitemap-subcategories">
            {t(en.subcategory)}
          </h2>
          {failure === null ? (
            <ul>
              <KeyedList items={subcategories}>
                {({ slug, name }) => (
                  <li>
                    <a href={tagPath(slug)} dir="auto">
                      {name}
                    </a>
                  </li>
                )}
              </KeyedList>
            </ul>
          ) : (
            <p className="sitemap-failure">{t(en.menuItemsFailed, { failure: t(failure) })}</p>
          )}
        </section>
      )}
      <aside className="sitemap-box" aria-label={t(en.contact)}>
        <h2 className="ruled-heading">{t(en.available)}</h2>
        {site.phones.helpline && (
          <p>
            <a href={phoneUrl(site.phones.helpline)}>{site.phones.helpline}</a>
          </p>
        )}
        <p>
          <a href={`mailto:${site.emails.media}`}>{site.emails.media}</a>
        </p>
        <p>
          <a href={`mailto:${site.emails.sales}`}>{site.emails.sales}</a>
        </p>
      </aside>
    </div>
  );
}

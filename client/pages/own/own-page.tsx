import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { siteApi } from '#client/api/site-api-context.ts';
import { Prose } from '#client/components/prose/prose.tsx';
import { RichText } from '#client/components/rich-text/rich-text.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import { longDate } from '#shared/dates.ts';
import type { OwnPage } from '#shared/models/own-page.ts';

export async function loader(args: LoaderFunctionArgs): Promise<OwnPage> {
  return siteApi(args).ownPage(new URL(args.request.url).pathname.slice(1));
}

/** Renders a page of the publisher's own, which the site folder has in Markdown. */
export function Page() {
  const t = useTexts();
  const { name, title, description, date, bodyHtml } = useLoaderData<typeof loader>();
  return (
    <Prose title={title} {...(date !== null && { deck: longDate(date, t) })}>
      <PageHead title={title} description={description || title} path={`/${name}`} />
      <RichText html={bodyHtml} />
    </Prose>
  );
}

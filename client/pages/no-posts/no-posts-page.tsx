import { useTexts } from '#client/layout/site-context.tsx';
import { StatusPage } from '#client/layout/status-page.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import * as en from '#shared/texts/en.ts';

/** Renders the page that an empty topic redirects to (texts: specification, section 2, Topic listing). */
export function Page() {
  const t = useTexts();
  return (
    <StatusPage heading={t(en.noPosts)}>
      <PageHead title={t(en.noPosts)} description={t(en.noPostsHere)} noIndex />
      <p>{t(en.sorryNoPosts)}</p>
      <a href="/">{t(en.goToHomePage)}</a>
    </StatusPage>
  );
}

import { useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import * as en from '#shared/texts/en.ts';
import { StatusPage } from './status-page.tsx';

/** Renders the 404 page (texts: specification, section 2). */
export function NotFound() {
  const t = useTexts();
  return (
    <StatusPage heading={t(en.notFoundHeading)}>
      <PageHead title={t(en.notFoundHeading)} description={t(en.notFoundDescription)} noIndex />
      <p>{t(en.notFoundText)}</p>
      <a href="/">{t(en.goBackHome)}</a>
    </StatusPage>
  );
}

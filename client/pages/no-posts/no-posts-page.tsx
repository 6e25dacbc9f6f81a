import { StatusPage } from '#client/layout/status-page.tsx';
import { PageHead } from '#client/seo/page-head.tsx';

/** Renders the page that an empty topic redirects to (texts: specification, section 2, Topic listing). */
export function Page() {
  return (
    <StatusPage heading="No Posts Available">
      <PageHead title="No Posts Available" description="There are no posts here at the moment." noIndex />
      <p>Sorry, there are no posts available at the moment.</p>
      <a href="/">Go to the home page</a>
    </StatusPage>
  );
}

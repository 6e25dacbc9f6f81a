import { PageHead } from '#client/seo/page-head.tsx';
import { StatusPage } from './status-page.tsx';

/** Renders the 404 page (texts: specification, section 2). */
export function NotFound() {
  return (
    <StatusPage heading="Error 404 - Not Found">
      <PageHead
        title="Error 404 - Not Found"
        description="The page you are looking for can't be found."
        noIndex
      />
      <p>The page you are looking for can't be found. Go back or browse our recent articles.</p>
      <a href="/">Go Back Home</a>
    </StatusPage>
  );
}

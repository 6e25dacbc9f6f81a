import { PageHead } from '#client/seo/page-head.tsx';
import { site } from '#shared/site.ts';
import { NewsletterForm } from '../../components/newsletter/newsletter-form.tsx';
import { Prose } from '../../components/prose/prose.tsx';

/** Renders the newsletter form as a page, for Subscribe without JavaScript. */
export function Page() {
  return (
    <Prose
      title="Subscribe"
      deck="One letter, every Friday: what changed in marketing technology, and what it will cost."
    >
      <PageHead title="Subscribe" description={`The weekly letter of ${site.name}.`} noIndex />
      <NewsletterForm id="page" isPage />
    </Prose>
  );
}

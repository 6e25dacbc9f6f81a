import { useSearchParams } from 'react-router';
import { NewsletterForm } from '#client/components/newsletter/newsletter-form.tsx';
import { submitSubscription } from '#client/components/newsletter/submit-subscription.ts';
import { Prose } from '#client/components/prose/prose.tsx';
import { useSettings } from '#client/layout/site-context.tsx';
import { formAction } from '#client/routing/form-action.ts';
import { PageHead } from '#client/seo/page-head.tsx';

export const action = formAction(submitSubscription);

/** Renders the newsletter form as a page, for Subscribe without JavaScript. */
export function Page() {
  const site = useSettings();
  const [search] = useSearchParams();
  return (
    <Prose title="Subscribe" deck={site.newsletter}>
      <PageHead title="Subscribe" description={`The weekly letter of ${site.name}.`} noIndex />
      <NewsletterForm id="page" sent={search.get('sent') === '1'} />
    </Prose>
  );
}

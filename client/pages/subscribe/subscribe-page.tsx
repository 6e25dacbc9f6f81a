import { useSearchParams } from 'react-router';
import { NewsletterForm } from '#client/components/newsletter/newsletter-form.tsx';
import { submitSubscription } from '#client/components/newsletter/submit-subscription.ts';
import { Prose } from '#client/components/prose/prose.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';
import { useSettings } from '#client/layout/site-context.tsx';
import { formAction } from '#client/routing/form-action.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import type { NewsletterTexts, TitledText } from '#shared/site.ts';
import './subscribe-page.css';

/** Where the site folder has no other texts. */
const DEFAULT_LETTER: NewsletterTexts = {
  about:
    'Three stories that matter to whoever signs for the software, the one figure of the week, and an event worth the journey. It takes four minutes, and nothing in it is paid for.',
  sample: {
    title: 'The invoice that nobody had ordered',
    text: 'Good morning. A retailer found eleven tools on its card statement that no department would own. Nine had been switched on by a trial. The two that stayed now have an owner and an end date. The figure of the week: 31 days passed, in the median firm, between a contract’s end and somebody noticing.',
  },
  address:
    'It is kept for the letter alone. We neither sell nor lend it, nothing in the letter reports that you have opened it, and every letter ends with a link that ends it.',
};

export const action = formAction(submitSubscription);

/** Renders the newsletter form as a page, with what the letter is and what happens to the address. */
export function Page() {
  const site = useSettings();
  const [search] = useSearchParams();
  const { about, sample, address } = site.letter ?? DEFAULT_LETTER;
  return (
    <div className="subscribe">
      <Prose title="Subscribe" deck={site.newsletter} aside={sample && <Letter {...sample} />}>
        <PageHead title="Subscribe" description={`The weekly letter of ${site.name}.`} noIndex />
        <p>{about}</p>
        <NewsletterForm id="page" sent={search.get('sent') === '1'} />
        <h2>What happens to your address</h2>
        <p>{address}</p>
      </Prose>
      <div className="page">
        <RecentPosts />
      </div>
    </div>
  );
}

/** Renders a sample of the letter. */
function Letter({ title, text }: TitledText) {
  return (
    <section className="letter" aria-labelledby="letter">
      <p className="kicker">From a recent letter</p>
      <h2 id="letter">{title}</h2>
      <p>{text}</p>
    </section>
  );
}

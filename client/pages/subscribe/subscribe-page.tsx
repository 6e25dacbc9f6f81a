import { useSearchParams } from 'react-router';
import { NewsletterForm, submitSubscription } from '#client/components/newsletter/newsletter-form.tsx';
import { Prose } from '#client/components/prose/prose.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { formAction } from '#client/routing/form-action.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import type { NewsletterTexts, TitledText } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import './subscribe-page.css';

/** Where the site folder has no other texts. */
const DEFAULT_LETTER: NewsletterTexts = {
  about: en.newsletterAbout,
  sample: { title: en.sampleTitle, text: en.sampleText },
  address: en.addressUse,
};

export const action = formAction(submitSubscription);

/** Renders the newsletter form as a page, with what the letter is and what happens to the address. */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const [search] = useSearchParams();
  const { about, sample, address } = site.letter ?? DEFAULT_LETTER;
  return (
    <div className="subscribe">
      <Prose title={t(en.subscribe)} deck={site.newsletter} aside={sample && <Letter {...sample} />}>
        <PageHead
          title={t(en.subscribe)}
          description={t(en.newsletterDescription, { name: site.name })}
          noIndex
        />
        <p>{t(about)}</p>
        <NewsletterForm id="page" sent={search.get('sent') === '1'} />
      </Prose>
      <section className="page">
        <h2 className="ruled-heading">{t(en.whatHappensToAddress)}</h2>
        <p className="deck prose-deck">{t(address)}</p>
      </section>
      <div className="page">
        <RecentPosts />
      </div>
    </div>
  );
}

function Letter({ title, text }: TitledText) {
  const t = useTexts();
  return (
    <section className="letter" aria-labelledby="letter">
      <p className="kicker">{t(en.fromRecentLetter)}</p>
      <h2 id="letter">{t(title)}</h2>
      <p>{t(text)}</p>
    </section>
  );
}

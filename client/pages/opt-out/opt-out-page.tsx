import { ContactForm, submitContactForm } from '#client/components/contact-form/contact-form.tsx';
import { Phrase } from '#client/components/phrase/phrase.tsx';
import { Prose } from '#client/components/prose/prose.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { formAction } from '#client/routing/form-action.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import * as apiPaths from '#shared/site-api.ts';
import * as en from '#shared/texts/en.ts';
import { phoneUrl } from '#shared/urls.ts';
import './opt-out-page.css';

const submit = submitContactForm((api, submission) => api.sendOptOut(submission));

export const action = formAction(submit);

/** Renders the form that forbids the sale of personal information. */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  return (
    <Prose title={t(en.doNotSell)} deck={t(en.optOutDeck, { name: site.name })} aside={<OtherWays />}>
      <PageHead title={t(en.doNotSell)} description={t(en.optOutDescription)} path="/opt-out-form" />
      <ContactForm
        action={apiPaths.sendOptOut}
        submit={submit}
        emailOnly={site.forms.optOut.fields === 'email'}
      />
    </Prose>
  );
}

function OtherWays() {
  const t = useTexts();
  const site = useSettings();
  return (
    <section className="opt-out-ways" aria-labelledby="other-ways">
      <h2 className="ruled-heading" id="other-ways">
        {t(en.otherWays)}
      </h2>
      {site.phones.ccpa && (
        <p>
          <Phrase text={t(en.byTelephone)}>
            <a href={phoneUrl(site.phones.ccpa)}>{site.phones.ccpa}</a>
          </Phrase>
        </p>
      )}
      <p>
        <Phrase text={t(en.byMail)}>
          <a href={`mailto:${site.emails.privacy}`}>{site.emails.privacy}</a>
        </Phrase>
      </p>
      <p>
        <Phrase text={t(en.whatWeHold)}>
          <a href="/privacy-policy">{t(en.privacyPolicy)}</a>
        </Phrase>
      </p>
    </section>
  );
}

import { ContactForm, submitContactForm } from '#client/components/contact-form/contact-form.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { formAction } from '#client/routing/form-action.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import * as apiPaths from '#shared/site-api.ts';
import * as en from '#shared/texts/en.ts';
import { phoneUrl } from '#shared/urls.ts';
import './contact-page.css';

const submit = submitContactForm((api, submission) => api.sendContactMessage(submission));

export const action = formAction(submit);

/** Renders the Contact page (specification, section 2, Contact). */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  return (
    <div className="page page-columns prose contact">
      <PageHead
        title={t(en.contactUs)}
        description={t(en.contactDescription, { name: site.name })}
        path="/contact-us"
      />
      <header className="contact-head">
        <h1>{t(en.contactUs)}</h1>
        <p className="deck">{t(en.contactDeck)}</p>
      </header>
      <section aria-labelledby="write">
        <h2 className="ruled-heading" id="write">
          {t(en.writeToUs)}
        </h2>
        <ContactForm action={apiPaths.sendContactMessage} submit={submit} />
      </section>
      <aside className="contact-lines" aria-label={t(en.mailAndTelephone)}>
        <h2 className="ruled-heading">{t(en.directly)}</h2>
        <dl>
          <dt>{t(en.media)}</dt>
          <dd>
            <a href={`mailto:${site.emails.media}`}>{site.emails.media}</a>
          </dd>
          <dt>{t(en.sales)}</dt>
          <dd>
            <a href={`mailto:${site.emails.sales}`}>{site.emails.sales}</a>
          </dd>
          {site.phones.helpline && (
            <>
              <dt>{t(en.helpline)}</dt>
              <dd>
                <a href={phoneUrl(site.phones.helpline)}>{site.phones.helpline}</a>
              </dd>
            </>
          )}
        </dl>
      </aside>
      <section className="contact-offices" aria-labelledby="offices">
        <h2 className="ruled-heading" id="offices">
          {t(en.offices)}
        </h2>
        <ul>
          {site.offices.map(({ country, lines }) => (
            <li key={country}>
              <h3>{country}</h3>
              <address>
                {lines.map((line) => (
                  <span key={line}>{line}</span>
                ))}
              </address>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

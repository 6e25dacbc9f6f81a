import { ContactForm } from '#client/components/contact-form/contact-form.tsx';
import { submitContactForm } from '#client/components/contact-form/submit-contact-form.ts';
import { useSettings } from '#client/layout/site-context.tsx';
import { formAction } from '#client/routing/form-action.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import { phoneUrl } from '#shared/urls.ts';
import './contact-page.css';

const submit = submitContactForm((api, submission) => api.sendContactMessage(submission));

export const action = formAction(submit);

/** Renders the Contact page (specification, section 2, Contact). */
export function Page() {
  const site = useSettings();
  return (
    <div className="page page-columns contact">
      <PageHead
        title="Contact Us"
        description={`How to reach ${site.name}: editors, sales and six offices.`}
        path="/contact-us"
      />
      <header className="contact-head">
        <h1>Contact Us</h1>
        <p className="deck">
          A correction, a story, a question about advertising: a person reads every message.
        </p>
      </header>
      <section aria-labelledby="write">
        <h2 className="ruled-heading" id="write">
          Write to us
        </h2>
        <ContactForm action="/api/contact-messages" submit={submit} />
      </section>
      <aside className="contact-lines" aria-label="Mail and telephone">
        <h2 className="ruled-heading">Directly</h2>
        <dl>
          <dt>Media</dt>
          <dd>
            <a href={`mailto:${site.emails.media}`}>{site.emails.media}</a>
          </dd>
          <dt>Sales</dt>
          <dd>
            <a href={`mailto:${site.emails.sales}`}>{site.emails.sales}</a>
          </dd>
          {site.phones.helpline && (
            <>
              <dt>Helpline</dt>
              <dd>
                <a href={phoneUrl(site.phones.helpline)}>{site.phones.helpline}</a>
              </dd>
            </>
          )}
        </dl>
      </aside>
      <section className="contact-offices" aria-labelledby="offices">
        <h2 className="ruled-heading" id="offices">
          Offices
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

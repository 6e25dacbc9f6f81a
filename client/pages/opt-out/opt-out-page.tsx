import { ContactForm } from '#client/components/contact-form/contact-form.tsx';
import { submitContactForm } from '#client/components/contact-form/submit-contact-form.ts';
import { Prose } from '#client/components/prose/prose.tsx';
import { useSettings } from '#client/layout/site-context.tsx';
import { formAction } from '#client/routing/form-action.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import { phoneUrl } from '#shared/urls.ts';
import './opt-out-page.css';

const submit = submitContactForm((api, submission) => api.sendOptOut(submission));

export const action = formAction(submit);

/** Renders the form that forbids the sale of personal information. */
export function Page() {
  const site = useSettings();
  return (
    <Prose
      title="Do Not Sell My Information"
      deck={`Tell us who you are, and ${site.name} will not sell or share your personal information. You need no account, and nothing else about your visit changes.`}
      aside={<OtherWays />}
    >
      <PageHead
        title="Do Not Sell My Information"
        description="Forbid the sale of your personal information."
        path="/opt-out-form"
      />
      <ContactForm action="/api/opt-outs" submit={submit} emailOnly={site.forms.optOut.fields === 'email'} />
    </Prose>
  );
}

function OtherWays() {
  const site = useSettings();
  return (
    <section className="opt-out-ways" aria-labelledby="other-ways">
      <h2 className="ruled-heading" id="other-ways">
        Other ways
      </h2>
      {site.phones.ccpa && (
        <p>
          By telephone, on our CCPA helpline: <a href={phoneUrl(site.phones.ccpa)}>{site.phones.ccpa}</a>
        </p>
      )}
      <p>
        By mail: <a href={`mailto:${site.emails.privacy}`}>{site.emails.privacy}</a>
      </p>
      <p>
        What we hold, and why, stands in the <a href="/privacy-policy">Privacy Policy</a>.
      </p>
    </section>
  );
}

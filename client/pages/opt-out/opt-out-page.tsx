import { site } from '#shared/site.ts';
import { ContactForm } from '../../components/contact-form/contact-form.tsx';
import { Prose } from '../../components/prose/prose.tsx';
import { PageHead } from '../../layout/page-head.tsx';
import { useSite } from '../../site-context.tsx';

/** The form by which a reader forbids the sale of personal information. */
export function Page() {
  const { actions } = useSite();
  return (
    <Prose
      title="Do Not Sell My Information"
      deck={`Tell us who you are, and ${site.name} will not sell or share your personal information. You need no account, and nothing else about your visit changes.`}
    >
      <PageHead
        title="Do Not Sell My Information"
        description="Forbid the sale of your personal information."
        path="/opt-out-form"
      />
      <ContactForm action="/api/opt-outs" send={actions.sendOptOut} />
    </Prose>
  );
}

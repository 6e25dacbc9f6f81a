import { site } from '#shared/site.ts';

/** Renders the e-mail address for questions about data. */
export function PrivacyMail() {
  return <a href={`mailto:${site.emails.privacy}`}>{site.emails.privacy}</a>;
}

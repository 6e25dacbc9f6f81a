import { useSettings } from '#client/layout/site-context.tsx';

/** Renders the e-mail address for questions about data. */
export function PrivacyMail() {
  const site = useSettings();
  return <a href={`mailto:${site.emails.privacy}`}>{site.emails.privacy}</a>;
}

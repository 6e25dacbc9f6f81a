import { marked } from 'marked';
import { formatDate } from '#shared/dates.ts';
import type { OwnPage } from '#shared/models/own-page.ts';
import type { SiteSettings } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { policyIn } from '#shared/texts/languages.ts';
import { translator } from '#shared/texts/translate.ts';

/** Path of the built-in privacy policy, without the slash. */
export const PRIVACY_POLICY = 'privacy-policy';

const HEADING = /<h2 id="([\w-]+)">(.*?)<\/h2>/g;

/** Returns the built-in privacy policy, with what the settings say of the publication. Its Markdown is ours, and so are its ids. */
export function privacyPolicy(site: SiteSettings): OwnPage {
  const t = translator(site);
  const { name, publisher, emails, phones } = site;
  const plain = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  const phone = (number: string | null) => number && plain(number);
  const markdown = policyIn(site.language)({
    name: plain(name),
    publisher: plain(publisher),
    mail: `[${plain(emails.privacy)}](mailto:${emails.privacy})`,
    ccpa: phone(phones.ccpa),
    helpline: phone(phones.helpline),
  });
  return {
    name: PRIVACY_POLICY,
    title: t(en.privacyPolicy),
    description: t(en.privacyDescription, { name }),
    deck: t(en.privacyDeck, { name, date: formatDate(en.longDate, site.privacyUpdated, t) }),
    contents: {
      title: t(en.inThisPolicy),
      entries: Array.from(markdown.matchAll(HEADING), ([, id = '', text = '']) => ({ id, text })),
    },
    bodyHtml: marked.parse(markdown, { async: false }),
  };
}

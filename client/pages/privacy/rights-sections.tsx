import type { SiteSettings } from '#shared/site.ts';
import { PrivacyMail } from './privacy-mail.tsx';
import type { PrivacySection } from './privacy-section.ts';

/** Sections on readers' rights. */
export const rightsSections = (site: SiteSettings): readonly PrivacySection[] => [
  {
    id: 'ccpa',
    title: 'California: CCPA',
    text: (
      <>
        <p>If you live in California, the California Consumer Privacy Act gives you the right</p>
        <ul>
          <li>to know what we have collected about you, where it came from and what we use it for;</li>
          <li>to have it corrected or deleted;</li>
          <li>to forbid its sale and its sharing;</li>
          <li>not to be treated worse for asking.</li>
        </ul>
        <p>
          Call our CCPA helpline, {site.phones.ccpa}, write to <PrivacyMail />, or use the{' '}
          <a href="/opt-out-form">opt-out form</a>. Somebody else may ask for you, with your signed
          permission. We answer within 45 days, and charge nothing.
        </p>
      </>
    ),
  },
  {
    id: 'caloppa',
    title: 'California: CalOPPA',
    text: (
      <>
        <p>As the California Online Privacy Protection Act asks, we agree to the following:</p>
        <ul>
          <li>You can visit this site anonymously.</li>
          <li>This policy is linked from the foot of every page, and the link has the word Privacy in it.</li>
          <li>You are told of changes to it on this page, before they take effect.</li>
          <li>
            You can have your own information changed by writing to <PrivacyMail /> or calling us.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'do-not-track',
    title: 'Do Not Track',
    text: (
      <p>
        We honour Do Not Track and Global Privacy Control signals in the simplest way there is: we do not
        track readers across sites, whatever their browser says, and let nobody else do so through our pages.
      </p>
    ),
  },
  {
    id: 'coppa',
    title: 'Children: COPPA',
    text: (
      <p>
        This site is written for people at work. It is not directed at children under thirteen, and under the
        Children’s Online Privacy Protection Act we do not knowingly collect anything from them. A parent who
        believes that a child has written to us can have the message deleted by writing to <PrivacyMail />.
      </p>
    ),
  },
  {
    id: 'can-spam',
    title: 'E-mail: CAN-SPAM',
    text: (
      <>
        <p>To be in accordance with the CAN-SPAM Act, every letter we send</p>
        <ul>
          <li>says truthfully who sends it, and has a subject that fits what is in it;</li>
          <li>is marked as an advertisement where it is one;</li>
          <li>carries our postal address;</li>
          <li>can be ended with one click, at once, and at the latest within ten business days.</li>
        </ul>
        <p>We do not rent, lend or swap addresses, and we watch those who send letters for us.</p>
      </>
    ),
  },
  {
    id: 'breach-notice',
    title: 'If something goes wrong',
    text: (
      <p>
        Should personal data fall into the wrong hands, we will tell those concerned by e-mail within 1
        business day of learning of it: what happened, which data it touched, what we are doing about it and
        what you can do. Where the law asks for it we also tell the authorities. It is your right to take us
        to court if we have not kept the law.
      </p>
    ),
  },
  {
    id: 'protection',
    title: 'How data are protected',
    text: (
      <p>
        Pages and forms travel encrypted. The queue in which messages wait can be read by our server alone.
        Few people can read what you send us, and only for the purpose you sent it for. No protection is
        perfect, which is why we collect little and keep it briefly.
      </p>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your rights, wherever you live',
    text: (
      <p>
        You may ask for a copy of your data, a correction, their deletion, or that we stop using them; where
        you have agreed to something you may take that back at any time. We grant this to everyone, not only
        where a law such as the European GDPR demands it, and we answer within thirty days. If our answer does
        not satisfy you, you may complain to the data protection authority of your country.
      </p>
    ),
  },
  {
    id: 'other-sites',
    title: 'Other sites',
    text: (
      <p>
        Our pages lead to others, among them our sister publications, event organisers and advertisers. What
        they do with your data they decide themselves; read their policies as you have read this one.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes, and how to reach us',
    text: (
      <p>
        We change this policy when what we do changes, say so here, and date it at the top. Questions go to{' '}
        <PrivacyMail />, by telephone to {site.phones.helpline}, or to any of our{' '}
        <a href="/contact-us">offices</a>.
      </p>
    ),
  },
];

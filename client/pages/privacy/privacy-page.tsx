import { Link } from 'react-router';
import { longDate } from '#shared/dates.ts';
import { site } from '#shared/site.ts';
import { Prose } from '../../components/prose/prose.tsx';
import { PageHead } from '../../layout/page-head.tsx';

/** What is done with readers' data, in words. */
export function Page() {
  const mail = <a href={`mailto:${site.emails.privacy}`}>{site.emails.privacy}</a>;
  return (
    <Prose title="Privacy Policy" deck={`In force since ${longDate(site.privacyUpdated)}.`}>
      <PageHead
        title="Privacy Policy"
        description={`What ${site.name} does with your data, and what it does not.`}
        path="/privacy-policy"
      />
      <p>
        {site.name} is published by {site.publisher}. This policy says which data we hold about the people who
        read this site, why we hold them, for how long, and what you can do about it. It applies to this site
        alone, not to the sites it links to. If a sentence in it is unclear, write to {mail} and we will
        explain it, and then improve it.
      </p>
      <h2>What we collect</h2>
      <p>
        You can read everything here without an account, a name or an e-mail address. We learn something about
        you in four ways:
      </p>
      <ul>
        <li>Your browser asks our servers for pages, which leaves lines in a log.</li>
        <li>
          When you open an article we count one view of it, together with the network address it was asked
          from, so that repeats are not counted twice.
        </li>
        <li>When you subscribe to the newsletter you give us your e-mail address.</li>
        <li>
          When you send a contact or an opt-out form you give us your name, e-mail address, telephone number
          and what you write.
        </li>
      </ul>
      <h2>Log files</h2>
      <p>
        Like most sites we keep log files. A line says when a page was asked for, which one, how it was
        answered and how long that took. It holds no name, no e-mail address and no network address. Logs
        serve to keep the site running and to find faults, and are deleted after thirty days.
      </p>
      <h2>Cookies</h2>
      <p>
        This site sets no cookies of its own. Your browser may keep copies of pages and pictures, which you
        can delete in its settings. Videos are shown as a picture until you start them; the player that then
        loads belongs to its provider and may set cookies under that provider’s policy.
      </p>
      <h2>Advertisements</h2>
      <p>
        We sell space, not readers. Advertisements are chosen for the page they stand on, are the same for
        everyone who sees it, and are labelled. They are served by us; advertisers learn that their banner was
        clicked when you arrive at their site, as any site does. Once there, their policy applies.
      </p>
      <h2>What we use your data for</h2>
      <p>
        To send the letter you asked for, to answer you, to act on your opt-out, and to know which articles
        are read. We do not build profiles, and we make no decisions about you by machine. Messages that
        cannot be passed on at once are kept until they can, and erased from that queue when they have been.
      </p>
      <h2>Do not sell my information</h2>
      <p>
        We do not sell personal information. Should that ever change, those who have told us not to will be
        left out. You can tell us on the <Link to="/opt-out-form">Do Not Sell My Information</Link> page.
      </p>
      <h2>California: CCPA and CalOPPA</h2>
      <p>
        If you live in California you may ask what we hold about you, have it corrected or deleted, and forbid
        its sale, and we may not treat you worse for asking. Call our CCPA helpline, {site.phones.ccpa}, or
        write to {mail}. As the California Online Privacy Protection Act asks, you can visit this site
        anonymously, this policy is linked from the foot of every page, and a change of it is announced on
        this page before it takes effect.
      </p>
      <h2>Do Not Track</h2>
      <p>
        We honour Do Not Track and Global Privacy Control signals in the simplest way there is: we do not
        track readers across sites, whatever their browser says, and we let nobody else do so through our
        pages.
      </p>
      <h2>Children: COPPA</h2>
      <p>
        This site is written for people at work. It is not directed at children under thirteen, and we do not
        knowingly collect anything from them. A parent who believes that a child has written to us can have
        the message deleted by writing to {mail}.
      </p>
      <h2>E-mail: CAN-SPAM</h2>
      <p>
        Our letters say who sends them, have a subject that fits what is in them, carry our postal address,
        and can be ended with one click, which we act on at once and at the latest within ten business days.
        We do not rent, lend or swap addresses.
      </p>
      <h2>If something goes wrong</h2>
      <p>
        Should personal data fall into the wrong hands, we will tell those concerned by e-mail within 1
        business day of learning of it: what happened, which data it touched, and what we are doing about it.
        Where the law asks for it we also tell the authorities.
      </p>
      <h2>How data are protected, and for how long they are kept</h2>
      <p>
        Pages and forms travel encrypted. Few people can read what you send us, and only for the purpose you
        sent it for. Newsletter addresses are kept until you unsubscribe; messages for two years; opt-outs for
        as long as they must be honoured; counted views without their address after a day.
      </p>
      <h2>Your rights</h2>
      <p>
        Wherever you live, you may ask for a copy of your data, a correction, or their deletion. We answer
        within thirty days. If our answer does not satisfy you, you may complain to the data protection
        authority of your country.
      </p>
      <h2>Changes, and how to reach us</h2>
      <p>
        We change this policy when what we do changes, and say so here. Questions go to {mail}, or by
        telephone to {site.phones.helpline}.
      </p>
    </Prose>
  );
}

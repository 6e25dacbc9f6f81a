import type { SiteSettings } from '#shared/site.ts';
import { PrivacyMail } from './privacy-mail.tsx';
import type { PrivacySection } from './privacy-section.ts';

/** First half of the privacy policy: collection, retention, cookies, advertisements, use and sale. */
export const collectionSections = (site: SiteSettings): readonly PrivacySection[] => [
  {
    id: 'about-this-policy',
    title: 'About this policy',
    text: (
      <>
        <p>
          {site.name} is published by {site.publisher}. This policy says which data we hold about the people
          who read this site, why we hold them, for how long, and what you can do about it. It applies to this
          site alone, not to the sites it links to, nor to what happens to data off line.
        </p>
        <p>
          If a sentence in it is unclear, write to <PrivacyMail /> and we will explain it, and then improve
          it.
        </p>
      </>
    ),
  },
  {
    id: 'what-we-collect',
    title: 'What we collect',
    text: (
      <>
        <p>
          You can read everything here without an account, a name or an e-mail address. We learn something
          about you in four ways:
        </p>
        <ul>
          <li>Your browser asks our servers for pages, which leaves lines in a log.</li>
          <li>When you open an article we count one view of it, with the network address it came from.</li>
          <li>When you subscribe to the newsletter you give us your e-mail address.</li>
          <li>
            When you send the contact or the opt-out form you give us your name, e-mail address and telephone
            number, your consent to be contacted, and whatever you write.
          </li>
        </ul>
        <p>We buy no data about you from anyone, and we put together none of the four with any other.</p>
      </>
    ),
  },
  {
    id: 'log-files',
    title: 'Log files',
    text: (
      <p>
        Like most sites we keep log files. A line says when a page was asked for, which one, how it was
        answered and how long that took. It holds no name, no e-mail address, no network address and nothing
        that was typed into a form or the search box: of a search it says that there was one, not what was
        looked for. Logs keep the site running and show faults; they are deleted after thirty days. To hold
        off floods of requests, our servers also count requests by network address, in memory, for a minute at
        a time.
      </p>
    ),
  },
  {
    id: 'counting-views',
    title: 'Counting views, and your network address',
    text: (
      <>
        <p>
          We want to know which articles are read. Each time one is opened, its number and the reader’s
          network (IP) address go to our content system, so that the same reader is not counted over and over.
          Programs that say they are crawlers are not counted, nor are pages that a browser fetches on
          suspicion that you may open them.
        </p>
        <p>
          Where we cannot see a public address, for instance on a company’s own network, the public address of
          that network stands in for it. If the content system is out of reach, the count waits in a queue on
          our server and is erased from it as soon as it has been passed on.
        </p>
      </>
    ),
  },
  {
    id: 'measuring-speed',
    title: 'Measuring speed',
    text: (
      <p>
        One visit in ten sends us, when it ends, how soon its first page appeared, how much that moved and how
        fast it reacted, with the kind of page, whether the window was wide or narrow, and whether a script
        was missing. These figures are only added up; nothing in them says whose they are, or which article it
        was.
      </p>
    ),
  },
  {
    id: 'what-forms-store',
    title: 'What forms store, and for how long',
    text: (
      <>
        <p>
          What you send is checked and passed on to the system in which we answer it, with a fingerprint from
          which nothing can be read, so that pressing the button twice does not store it twice there. That
          system is our content system or, where that takes no messages, a database beside it on our server,
          which also counts the views. If it is out of reach, what you sent waits in a queue on our server and
          is erased from it once it has arrived. A message that the other system refuses stays in the queue
          for thirty days, so that somebody can look into it, and is then erased.
        </p>
        <ul>
          <li>Newsletter addresses are kept until you unsubscribe.</li>
          <li>Messages and the contact details in them are kept for two years after the last answer.</li>
          <li>Opt-outs are kept for as long as they have to be honoured.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and your browser’s storage',
    text: (
      <p>
        This site sets no cookies of its own. Your browser keeps copies of pages and pictures as it does for
        every site; and if a page had to be loaded twice, its address is noted until you close the tab, so
        that it is not loaded a third time. The search box’s last eight searches, and whether you have turned
        off its key, stay in your browser until you have them forgotten on a page of results; we never see
        that list. What you have typed into a form and not sent is kept in the tab, so that you find it again
        when you come back to the page, and is gone with the tab. You can delete all of it in your browser’s
        settings, and lose nothing here. Videos, sound and posts of other sites are a picture or a link until
        you load them; what then loads belongs to its provider, which learns your network address and may set
        cookies under its own policy.
      </p>
    ),
  },
  {
    id: 'advertisements',
    title: 'Advertisements',
    text: (
      <p>
        We sell space, not readers. Advertisements are chosen for the place they stand in, are the same for
        everyone who sees it, and are labelled. We serve them ourselves: no advertising network sees your
        visit, and none sets a cookie or a web beacon through our pages. An advertiser learns that its banner
        was followed when you arrive at its site, as any site does; from there on its policy applies.
      </p>
    ),
  },
  {
    id: 'what-for',
    title: 'What we use your data for, and who else sees them',
    text: (
      <>
        <p>
          To send the letter you asked for, to answer you, to act on your opt-out, to know which articles are
          read, and to keep the site standing. We build no profiles and let no machine decide anything about
          you.
        </p>
        <p>
          The companies that run our servers and send our letters handle data for us and for nothing else. We
          hand data to authorities where the law compels us, and would to a buyer of this publication only
          under the terms of this policy. The buttons with which you share an article are plain links: the
          network behind one learns of you when you follow it, and not before.
        </p>
      </>
    ),
  },
  {
    id: 'do-not-sell',
    title: 'Do not sell my information',
    text: (
      <p>
        We do not sell personal information, and we do not share it for advertising. Should that ever change,
        those who have told us not to will be left out. You can tell us on the{' '}
        <a href="/opt-out-form">Do Not Sell My Information</a> page.
      </p>
    ),
  },
];

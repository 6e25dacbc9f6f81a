import type { PolicyValues } from './policy-values.ts';

/** Returns the privacy policy in English, in Markdown. Keep it true when the handling of data changes. */
export const en = ({ name, publisher, mail, ccpa, helpline }: PolicyValues): string => `
<h2 id="about-this-policy">About this policy</h2>

${name} is published by ${publisher}. This policy says which data we hold about the people who read this site,
why we hold them, for how long, and what you can do about it. It applies to this site alone, not to the sites
it links to, nor to what happens to data off line.

If a sentence in it is unclear, write to ${mail} and we will explain it, and then improve it.

<h2 id="what-we-collect">What we collect</h2>

You can read everything here without an account, a name or an e-mail address. We learn something about you in
four ways:

- Your browser asks our servers for pages, which leaves lines in a log.
- When you open an article we count one view of it, with the network address it came from.
- When you subscribe to the newsletter you give us your e-mail address.
- When you send the contact or the opt-out form you give us your name, e-mail address and telephone number,
  your consent to be contacted, and whatever you write.

We buy no data about you from anyone, and we put together none of the four with any other.

<h2 id="log-files">Log files</h2>

Like most sites we keep log files. A line says when a page was asked for, which one, how it was answered and
how long that took. It holds no name, no e-mail address, no network address and nothing that was typed into a
form or the search box: of a search it says that there was one, not what was looked for. Logs keep the site
running and show faults; they are deleted after thirty days. To hold off floods of requests, our servers also
count requests by network address, in memory, for a minute at a time.

<h2 id="counting-views">Counting views, and your network address</h2>

We want to know which articles are read. Each time one is opened, its number and the reader’s network (IP)
address go to our content system, so that the same reader is not counted over and over. Programs that say they
are crawlers are not counted, nor are pages that a browser fetches on suspicion that you may open them.

Where we cannot see a public address, for instance on a company’s own network, the public address of that
network stands in for it. If the content system is out of reach, the count waits in a queue on our server and
is erased from it as soon as it has been passed on.

<h2 id="measuring-speed">Measuring speed</h2>

One visit in ten sends us, when it ends, how soon its first page appeared, how much that moved and how fast it
reacted, with the kind of page, whether the window was wide or narrow, and whether a script was missing. These
figures are only added up; nothing in them says whose they are, or which article it was.

<h2 id="what-forms-store">What forms store, and for how long</h2>

What you send is checked and passed on to the system in which we answer it, with a fingerprint from which
nothing can be read, so that pressing the button twice does not store it twice there. That system is our
content system or, where that takes no messages, a database beside it on our server, which also counts the
views. If it is out of reach, what you sent waits in a queue on our server and is erased from it once it has
arrived. A message that the other system refuses stays in the queue for thirty days, so that somebody can look
into it, and is then erased.

- Newsletter addresses are kept until you unsubscribe.
- Messages and the contact details in them are kept for two years after the last answer.
- Opt-outs are kept for as long as they have to be honoured.

<h2 id="cookies">Cookies and your browser’s storage</h2>

This site sets no cookies of its own. Your browser keeps copies of pages and pictures as it does for every
site; and if a page had to be loaded twice, its address is noted until you close the tab, so that it is not
loaded a third time. How far you have scrolled each page, and what you have typed into a form and not sent, is
kept in the tab, so that you find it again when you come back to the page, and is gone with the tab. You can
delete all of it in your browser’s settings, and lose nothing here. Videos, sound and posts of other sites are
a picture or a link until you load them; what then loads belongs to its provider, which learns your network
address and may set cookies under its own policy.

<h2 id="advertisements">Advertisements</h2>

We sell space, not readers. Advertisements are chosen for the place they stand in, are the same for everyone
who sees it, and are labelled. We serve them ourselves: no advertising network sees your visit, and none sets
a cookie or a web beacon through our pages. An advertiser learns that its banner was followed when you arrive
at its site, as any site does; from there on its policy applies.

<h2 id="what-for">What we use your data for, and who else sees them</h2>

To send the letter you asked for, to answer you, to act on your opt-out, to know which articles are read, and
to keep the site standing. We build no profiles and let no machine decide anything about you.

The companies that run our servers and send our letters handle data for us and for nothing else. We hand data
to authorities where the law compels us, and would to a buyer of this publication only under the terms of this
policy. The buttons with which you share an article are plain links: the network behind one learns of you when
you follow it, and not before.

<h2 id="do-not-sell">Do not sell my information</h2>

We do not sell personal information, and we do not share it for advertising. Should that ever change, those
who have told us not to will be left out. You can tell us on the
[Do Not Sell My Information](/opt-out-form) page.

<h2 id="ccpa">California: CCPA</h2>

If you live in California, the California Consumer Privacy Act gives you the right

- to know what we have collected about you, where it came from and what we use it for;
- to have it corrected or deleted;
- to forbid its sale and its sharing;
- not to be treated worse for asking.

${ccpa === null ? 'Write' : `Call our CCPA helpline, ${ccpa}, write`} to ${mail}, or use the
[opt-out form](/opt-out-form). Somebody else may ask for you, with your signed permission. We answer within 45
days, and charge nothing.

<h2 id="caloppa">California: CalOPPA</h2>

As the California Online Privacy Protection Act asks, we agree to the following:

- You can visit this site anonymously.
- This policy is linked from the foot of every page, and the link has the word Privacy in it.
- You are told of changes to it on this page, before they take effect.
- You can have your own information changed by writing to ${mail} or calling us.

<h2 id="do-not-track">Do Not Track</h2>

We honour Do Not Track and Global Privacy Control signals in the simplest way there is: we do not track
readers across sites, whatever their browser says, and let nobody else do so through our pages.

<h2 id="coppa">Children: COPPA</h2>

This site is written for people at work. It is not directed at children under thirteen, and under the
Children’s Online Privacy Protection Act we do not knowingly collect anything from them. A parent who believes
that a child has written to us can have the message deleted by writing to ${mail}.

<h2 id="can-spam">E-mail: CAN-SPAM</h2>

To be in accordance with the CAN-SPAM Act, every letter we send

- says truthfully who sends it, and has a subject that fits what is in it;
- is marked as an advertisement where it is one;
- carries our postal address;
- can be ended with one click, at once, and at the latest within ten business days.

We do not rent, lend or swap addresses, and we watch those who send letters for us.

<h2 id="breach-notice">If something goes wrong</h2>

Should personal data fall into the wrong hands, we will tell those concerned by e-mail within 1 business day
of learning of it: what happened, which data it touched, what we are doing about it and what you can do. Where
the law asks for it we also tell the authorities. It is your right to take us to court if we have not kept the
law.

<h2 id="protection">How data are protected</h2>

Pages and forms travel encrypted. The queue in which messages wait can be read by our server alone. Few people
can read what you send us, and only for the purpose you sent it for. No protection is perfect, which is why we
collect little and keep it briefly.

<h2 id="your-rights">Your rights, wherever you live</h2>

You may ask for a copy of your data, a correction, their deletion, or that we stop using them; where you have
agreed to something you may take that back at any time. We grant this to everyone, not only where a law such
as the European GDPR demands it, and we answer within thirty days. If our answer does not satisfy you, you may
complain to the data protection authority of your country.

<h2 id="other-sites">Other sites</h2>

Our pages lead to others, among them our sister publications, event organisers and advertisers. What they do
with your data they decide themselves; read their policies as you have read this one.

<h2 id="changes">Changes, and how to reach us</h2>

We change this policy when what we do changes, say so here, and date it at the top. Questions go to
${mail}${helpline === null ? '' : `, by telephone to ${helpline}`}, or to any of our [offices](/contact-us).
`;

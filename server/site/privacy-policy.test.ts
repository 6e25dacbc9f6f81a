import { expect, it } from 'vitest';
import { defaultSite } from '#shared/site.ts';
import { WEB_VITALS_SAMPLE } from '#shared/site-api.ts';
import { textsOf } from '#shared/texts/languages.ts';
import { privacyPolicy } from './privacy-policy.ts';

const inGerman = privacyPolicy({ ...defaultSite, language: 'de-AT', texts: textsOf('de-AT') });

it('says what the browser stores and sends without being asked, and what others keep', () => {
  const { bodyHtml } = privacyPolicy(defaultSite);
  const text = bodyHtml.replaceAll(/\s+/g, ' ');
  expect(WEB_VITALS_SAMPLE).toBe(1 / 10);
  for (const sentence of [
    'How far you have scrolled each page',
    'One visit in ten sends us',
    'typed into a form and not sent, is kept in the tab',
    'belongs to its provider, which learns your network address',
    'a database beside it on our server',
    'refuses stays in the queue for thirty days',
  ])
    expect(text).toContain(sentence);
});

it('has a list of contents that leads to each of its headings', () => {
  const { contents, bodyHtml } = privacyPolicy(defaultSite);
  expect(contents?.entries).toContainEqual({ id: 'caloppa', text: 'California: CalOPPA' });
  const ids = Array.from(bodyHtml.matchAll(/<h2 id="([\w-]+)">/g), ([, id]) => id);
  expect(contents?.entries.map(({ id }) => id)).toEqual(ids);
  expect(ids).toHaveLength(20);
});

it('is in German, heading by heading, where the site is', () => {
  expect(inGerman).toMatchObject({
    title: 'Datenschutzerklärung',
    deck: expect.stringContaining('In Kraft'),
  });
  const idsOf = ({ contents }: typeof inGerman) => contents?.entries.map(({ id }) => id);
  expect(idsOf(inGerman)).toEqual(idsOf(privacyPolicy(defaultSite)));
  expect(inGerman.bodyHtml).toContain('Diese Seiten setzen keine eigenen Cookies.');
  expect(inGerman.bodyHtml).toContain('<a href="/opt-out-form">Meine Daten nicht verkaufen</a>');
});

it('is in English where there is none in the language of the site', () => {
  expect(privacyPolicy({ ...defaultSite, language: 'fr' }).bodyHtml).toContain('Log files');
});

it('leaves out telephone numbers that the publication does not have', () => {
  for (const language of ['en', 'de']) {
    const { bodyHtml } = privacyPolicy({ ...defaultSite, language, phones: { ccpa: null, helpline: null } });
    expect(bodyHtml).not.toMatch(/null|helpline|\+1|, ,/);
  }
});

it('shows the names of the publication as they are, whatever they are made of', () => {
  const name = '<b>*A* & [B](/c)</b>';
  const { bodyHtml } = privacyPolicy({ ...defaultSite, name, publisher: '_P_ `Q`' });
  expect(bodyHtml).toContain('<p>&lt;b&gt;*A* &amp; [B](/c)&lt;/b&gt; is published by _P_ `Q`.');
});

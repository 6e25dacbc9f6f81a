import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '#client/routes.tsx';
import { defaultSite as identity } from '#shared/site.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { linksAmong, linksOf, mainOf, partOf, textOf } from './markup.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

const page = async (path: string) => (await request(site.origin).get(path).expect(200)).text;

/** Pages without parameters. */
const STATIC_PAGES = pages.filter(({ path }) => /^\/[^:*]*$/.test(path));

/** Fixed links of the sitemap, as specified. */
const FIXED_LINKS: [string, string][] = [
  ['/', 'Home'],
  ['/about', 'About'],
  ['/contact-us', 'Contact Us'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/opt-out-form', 'Do Not Sell My Information'],
];

describe('the static pages', () => {
  it.each(STATIC_PAGES)('$path has one h1, a title and a description', async ({ path }) => {
    const text = await page(path);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).toMatch(/<title>[^<]*Martech Meridian[^<]*<\/title>/);
    expect(text).toMatch(/<meta name="description" content="[^"]{10,}"/);
  });

  it.each(STATIC_PAGES)('$path is in the sitemap unless search engines may not index it', async (record) => {
    const { path, noIndex = false } = record;
    expect(/<meta name="robots" content="noindex"/.test(await page(path))).toBe(noIndex);
    const sitemap = await page('/sitemaps/pages.xml');
    expect(sitemap.includes(`<loc>https://www.example.com${path}</loc>`)).toBe(!noIndex);
  });

  it('about: the mission, and the five of the team with their roles', async () => {
    const text = await page('/about');
    expect(identity.team).toHaveLength(5);
    for (const { name, role } of identity.team) {
      expect(text).toContain(name);
      expect(text).toContain(role);
    }
    expect(text).toContain(identity.mission[0]);
  });

  it('contact: six offices, both mailboxes and the helpline', async () => {
    const text = mainOf(await page('/contact-us'));
    expect(identity.offices.map(({ country }) => country)).toEqual([
      'United Kingdom',
      'India',
      'Philippines',
      'United States',
      'Singapore',
      'Costa Rica',
    ]);
    for (const { country, lines } of identity.offices) {
      expect(text).toContain(country);
      expect(text).toContain(lines[1]);
    }
    expect(text.match(/<address/g)).toHaveLength(6);
    expect(text).toContain(`href="mailto:${identity.emails.media}"`);
    expect(text).toContain(`href="mailto:${identity.emails.sales}"`);
    expect(text).toContain(identity.phones.helpline);
  });

  it.each([
    ['/contact-us', '/api/contact-messages'],
    ['/opt-out-form', '/api/opt-outs'],
  ])(
    '%s: the form with its six fields, their labels, and what the reader agrees to',
    async (path, action) => {
      const form = partOf(await page(path), 'form', 'contact-form');
      expect(form).toContain(`action="${action}"`);
      expect(
        [...form.matchAll(/<label for="(\w+)">(.*?)<\/label>/gs)].map(([, id, label]) => [
          id,
          textOf(label ?? ''),
        ]),
      ).toEqual([
        ['firstName', 'First name'],
        ['lastName', 'Last name'],
        ['email', 'Email'],
        ['phone', 'Phone'],
        ['message', 'Message'],
        [
          'optIn',
          'By checking this box, I agree that the product can contact me by email or phone and provide more information about the services. *',
        ],
      ]);
      expect(form).toMatch(/<button type="submit"[^>]*>Submit</);
    },
  );

  it('privacy: every topic that the specification names, the CCPA helpline and the way to the opt-out form', async () => {
    const text = await page('/privacy-policy');
    const topics = ['Log files', 'Cookies', 'Advertisements', 'CalOPPA', 'COPPA', 'CAN-SPAM', 'Do Not Track'];
    for (const topic of topics) expect(text).toContain(topic);
    expect(text).toMatch(/within 1\s+business day/);
    expect(text).toContain(identity.phones.ccpa);
    expect(mainOf(text)).toContain(identity.name);
    expect(text).toMatch(/<main.*href="\/opt-out-form".*<\/main>/s);
  });

  it('sitemap: the fixed links, the topics, the sub-categories and the box', async () => {
    const main = mainOf(await page('/sitemap'));
    const [topics = '', fixed = '', subcategories = ''] = main.split('<section').slice(1);
    expect(linksAmong(FIXED_LINKS, linksOf(fixed))).toEqual(FIXED_LINKS);
    const inTopics = linksOf(topics).map(([href]) => href);
    expect(inTopics.filter((href) => /^\/news\/./.test(href))).toHaveLength(3);
    // Future Ready is in no menu.
    expect(inTopics.filter((href) => /^\/future-ready\/./.test(href))).toHaveLength(3);
    expect(inTopics.filter((href) => href.startsWith('/topic/'))).toEqual([
      '/topic/news',
      '/topic/podcasts',
      '/topic/interview',
      '/topic/guest-author',
      '/topic/featured',
      '/topic/future-ready',
      '/topic/learning-center',
    ]);
    const [list = '', box = ''] = subcategories.split('<aside');
    expect(list).toContain('>Sub-Category</h2>');
    expect(linksOf(list)).toHaveLength(10);
    expect(linksOf(list)).toContainEqual(['/tag/customer-data', 'Customer Data']);
    expect(textOf(box)).toContain('Available 24/7');
    expect(linksOf(box).map(([, text]) => text)).toEqual([
      identity.phones.helpline,
      identity.emails.media,
      identity.emails.sales,
    ]);
  });

  it('sitemap: has no Sub-Category list where the upstream has no sub-categories', async () => {
    const own = await startSiteUnderTest();
    await own.faults([{ path: '/api/category/subcatlist', kind: 'wrong-json', body: [] }]);
    const { text } = await request(own.origin).get('/sitemap').expect(200);
    await own.close();
    expect(textOf(mainOf(text))).not.toMatch(/Sub-Category|Error/);
    expect(mainOf(text)).not.toContain('<ul></ul>');
  });

  it('sitemap: the failure is told in place of the list when the sub-categories cannot be had', async () => {
    const own = await startSiteUnderTest();
    await own.faults([{ path: '/api/category/subcatlist', kind: 'status', status: 500 }]);
    await request(own.origin)
      .get('/sitemap')
      .expect(200)
      .expect(/Error fetching menu items: [^<]*\w/);
    await own.close();
  });
});

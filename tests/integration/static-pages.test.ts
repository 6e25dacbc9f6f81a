import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { site as identity } from '#shared/site.ts';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

const page = async (path: string) => (await request(site.origin).get(path).expect(200)).text;

describe('the static pages', () => {
  it.each(['/about', '/privacy-policy', '/opt-out-form', '/contact-us', '/sitemap', '/subscribe'])(
    '%s has one h1, a title and a description',
    async (path) => {
      const text = await page(path);
      expect(text.match(/<h1/g)).toHaveLength(1);
      expect(text).toMatch(/<title>[^<]+ \| Martech Meridian<\/title>/);
      expect(text).toMatch(/<meta name="description" content="[^"]{10,}"/);
    },
  );

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
    const text = await page('/contact-us');
    for (const { country, lines } of identity.offices) {
      expect(text).toContain(country);
      expect(text).toContain(lines[1]);
    }
    expect(text.match(/<address/g)).toHaveLength(6);
    expect(text).toContain(`mailto:${identity.emails.media}`);
    expect(text).toContain(`mailto:${identity.emails.sales}`);
    expect(text).toContain(identity.phones.helpline);
  });

  it('privacy: every subject that the specification names, the CCPA helpline and the way to the opt-out form', async () => {
    const text = await page('/privacy-policy');
    const subjects = [
      'Log files',
      'Cookies',
      'Advertisements',
      'CalOPPA',
      'COPPA',
      'CAN-SPAM',
      'Do Not Track',
    ];
    for (const subject of subjects) expect(text).toContain(subject);
    expect(text).toMatch(/within 1\s+business day/);
    expect(text).toContain(identity.phones.ccpa);
    expect(text).toMatch(/<main.*href="\/opt-out-form".*<\/main>/s);
  });

  it('sitemap: the fixed links, the topics, the sub-categories and the box', async () => {
    const text = await page('/sitemap');
    for (const topic of [
      'news',
      'podcasts',
      'interview',
      'guest-author',
      'featured',
      'future-ready',
      'learning-center',
    ])
      expect(text).toContain(`href="/topic/${topic}"`);
    for (const name of ['Home', 'About', 'Contact Us', 'Do Not Sell My Information', 'Privacy Policy'])
      expect(text).toContain(`>${name}</a>`);
    expect(text).toContain('href="/tag/analytics"');
    expect(text).toContain('Available 24/7');
  });

  it('sitemap: the failure stands in place of the list when the sub-categories cannot be had', async () => {
    const own = await startSiteUnderTest();
    await own.faults([{ path: '/api/category/subcatlist', kind: 'status', status: 500 }]);
    await request(own.origin)
      .get('/sitemap')
      .expect(200)
      .expect(/Error fetching menu items: [^<]*\w/);
    await own.close();
  });
});

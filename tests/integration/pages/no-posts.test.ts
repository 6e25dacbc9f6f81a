import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { headingOf, linksOf, mainOf } from './markup.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

describe('/no-posts', () => {
  it('says so at 200, is not for search engines, and leads on to recent articles', async () => {
    const { text } = await request(site.origin).get('/no-posts').expect(200);
    expect(headingOf(text)).toBe('No Posts Available');
    expect(mainOf(text)).toContain('Sorry, there are no posts available at the moment.');
    expect(text).toContain('<meta name="robots" content="noindex"');
    const articles = linksOf(mainOf(text)).filter(([href]) => /^\/[a-z-]+\/[a-z0-9-]+$/.test(href));
    expect(articles).toHaveLength(3);
  });
});

describe('/404', () => {
  it('leads home and to recent articles', async () => {
    const { text } = await request(site.origin).get('/404').expect(404);
    const links = linksOf(mainOf(text));
    expect(links).toContainEqual(['/', 'Go Back Home']);
    expect(links.filter(([href]) => href !== '/')).toHaveLength(3);
  });
});

import { parse } from 'parse5';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { makeHostile } from './hostile-post.ts';

let site: SiteUnderTest;
let address: string;

beforeAll(async () => {
  site = await startSiteUnderTest();
  address = await makeHostile(site);
});
afterAll(() => site.close());

const textOf = async (path: string) => (await request(site.origin).get(path).buffer(true).expect(200)).text;

interface Found {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/** Returns every element of a document, by an HTML5 parser. */
function elementsOf(html: string): Found[] {
  const found: Found[] = [];
  function visit(node: object): void {
    if ('tagName' in node && 'attrs' in node && Array.isArray(node.attrs)) {
      const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      const texts = 'childNodes' in node && Array.isArray(node.childNodes) ? node.childNodes : [];
      const text = texts.map((child) => ('value' in child ? String(child.value) : '')).join('');
      found.push({ name: String(node.tagName), attributes, text });
    }
    if ('childNodes' in node && Array.isArray(node.childNodes)) node.childNodes.forEach(visit);
  }
  visit(parse(html));
  return found;
}

const SCHEMES = /^(https?:|mailto:|tel:|\/|#|\?)/;

describe('a hostile article', () => {
  it.each([
    ['its own page', () => address],
    ['the home page', () => '/'],
  ])('leaves nothing that runs, frames or leads away in %s', async (_what, path) => {
    const elements = elementsOf(await textOf(path()));
    for (const { name, attributes } of elements) {
      if (name === 'script')
        expect(attributes['src'] ?? attributes['type']).toMatch(/^\/assets\/|^application\/(ld\+)?json$/);
      expect([
        'base',
        'object',
        'embed',
        'applet',
        'frame',
        'frameset',
        'portal',
        'style',
        'math',
      ]).not.toContain(name);
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(attribute, `${name} ${attribute}=${value}`).not.toMatch(
          /^on|^style$|^srcdoc$|^formaction$|^ping$|^is$/,
        );
        if (['href', 'src', 'action', 'poster'].includes(attribute)) expect(value).toMatch(SCHEMES);
      }
    }
    const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('stays inside its own container, with our ids untouched', async () => {
    const html = await textOf(address);
    expect(html.match(/id="main"/g)).toHaveLength(1);
    expect(html.match(/id="state"/g)).toHaveLength(1);
    expect(html.match(/<footer\b/g)).toHaveLength(1);
    expect(html).not.toContain('id="escaped"');
    expect(html).toContain('<h2 id="s-second">Second</h2>');
  });

  it('has its texts as texts in the contents list, the structured data and the state', async () => {
    const elements = elementsOf(await textOf(address));
    const json = elements.filter(
      ({ name, attributes }) => name === 'script' && attributes['type']?.startsWith('application/'),
    );
    expect(json.length).toBeGreaterThanOrEqual(3);
    for (const { text } of json) expect(() => JSON.parse(text)).not.toThrow();
    const state = z
      .object({
        loaderData: z.object({ article: z.object({ article: z.object({ title: z.string() }) }) }),
      })
      .parse(JSON.parse(json.find(({ attributes }) => attributes['id'] === 'state')?.text ?? ''));
    expect(state.loaderData.article.article.title).toMatch(/^Hostile /);
    const title = elements.find(({ name }) => name === 'title');
    expect(title?.text).toMatch(/^Hostile /);
  });

  it.each(['/feed.xml', '/news-sitemap.xml', '/sitemap.xml', '/topic/news/feed.xml'])(
    'breaks out of nothing in %s',
    async (path) => {
      const xml = await textOf(path);
      expect(xml).not.toMatch(/<script|<img|<svg|window\.hostile=1\/\/-->/);
      expect(xml.replace(/<!\[CDATA\[.*?\]\]>/gs, '')).not.toMatch(
        /&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i,
      );
    },
  );
});

describe('a pathological article', () => {
  const MIB = 1024 * 1024;
  const BODIES = {
    'nested 100,000 deep': '<div>'.repeat(100_000),
    'of 100,000 open formatting elements': '<b><i>'.repeat(50_000),
    'of 50,000 headings': '<h2>a</h2>'.repeat(50_000),
    'of 50,000 links': '<a href="/x">x</a>'.repeat(50_000),
    'of tables in tables': '<table><tr><td>'.repeat(20_000),
    'with 100,000 attributes': `<p ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(' ')}>`,
    'of one endless word': 'a'.repeat(MIB),
    'of entities': '&notit;&#x41;'.repeat(80_000),
    'of unclosed comments': '<!--'.repeat(200_000),
  };

  it.each(Object.entries(BODIES))(
    '%s is read within its page’s time, and the page is whole',
    async (what, body) => {
      const call = `/api/post/postdetails/news/pathological-${what.replace(/\W+/g, '-')}`;
      const post = {
        id: 1,
        cat_slug: 'news',
        post_name: call.slice(call.lastIndexOf('/') + 1),
        post_title: 'A pathological article',
        post_content: body.slice(0, 0.9 * MIB),
      };
      await site.faults([{ path: call, kind: 'wrong-json', body: { status: true, result: [post] } }]);
      const html = await textOf(call.replace('/api/post/postdetails', ''));
      expect(html).toContain('A pathological article');
      expect(html).toMatch(/<\/html>$/);
    },
  );
});

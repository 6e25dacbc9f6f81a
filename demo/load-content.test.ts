import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContentError, loadContent } from './load-content.ts';

const POST = `title: A calm headline about ledgers
subcategories: analytics, commerce
author: ada-quill
daysAgo: 3
at: 08:30
deck: A deck that says what is in it.
keywords: ledger, consent
banner: show
---
<p>First paragraph.</p>
<figure><img src="/figures/calm-ledgers-1.jpg" alt="Layers"><figcaption>Layers</figcaption></figure>
`;
const FILES = {
  'authors.json': JSON.stringify([
    { key: 'ada-quill', name: 'Ada Quill', description: 'Writes.', photo: true },
  ]),
  'taxonomy.json': JSON.stringify({
    categories: [{ slug: 'news', name: 'News' }],
    subcategories: [
      { slug: 'analytics', name: 'Analytics' },
      { slug: 'commerce', name: 'Commerce' },
    ],
  }),
  'posts/news/calm-ledgers.html': POST,
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'content-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
}

function problemsWith(files: Record<string, string>): readonly string[] {
  write({ ...FILES, ...files });
  try {
    loadContent(dir);
    return [];
  } catch (error) {
    if (error instanceof ContentError) return error.problems;
    throw error;
  }
}

const POST_FILE = 'posts/news/calm-ledgers.html';

describe('loadContent', () => {
  it('reads the head and the body of a post', () => {
    write(FILES);
    expect(loadContent(dir).posts).toEqual([
      expect.objectContaining({
        category: 'news',
        slug: 'calm-ledgers',
        title: 'A calm headline about ledgers',
        subcategories: ['analytics', 'commerce'],
        daysAgo: 3,
        bannerShow: true,
        podcast: null,
        figures: 1,
        bodyHtml: expect.stringMatching(/^<p>First paragraph\.<\/p>\n<figure>/),
      }),
    ]);
  });

  it('reads something of each kind from the folder of the demo', () => {
    const without = Object.entries(loadContent()).filter(([, items]) => items.length === 0);
    expect(without.map(([kind]) => `demo/content: ${kind}`)).toEqual([]);
  });

  it('takes a folder without files as empty content', () => {
    expect(loadContent(dir)).toMatchObject({ posts: [], events: [], advertisements: [] });
  });

  it.each([
    [
      'a missing head line',
      POST.replace(/author: .*\n/, ''),
      `${POST_FILE}:1: expected a line author in the head`,
    ],
    [
      'a word for a number',
      POST.replace('daysAgo: 3', 'daysAgo: three'),
      `${POST_FILE}:4: expected daysAgo: a whole number of days`,
    ],
    [
      'an unknown head line',
      POST.replace('banner: show', 'banner: show\nmood: calm'),
      `${POST_FILE}:9: expected no line mood`,
    ],
    [
      'a repeated head line',
      POST.replace('banner: show', 'banner: show\nbanner: hide'),
      `${POST_FILE}:9: expected one line banner, not two`,
    ],
    ['a missing ---', POST.replace('---', ''), `${POST_FILE}:1: expected a line --- after the head`],
    [
      'an entity in a title',
      POST.replace('calm', 'R&amp;D'),
      `${POST_FILE}:1: expected title: plain text without tags or entities`,
    ],
    [
      'a podcast outside podcasts',
      POST.replace('---', 'podcast: https://youtu.be/abcdefghijk\n---'),
      `${POST_FILE}:9: expected no line podcast outside podcasts`,
    ],
    ['an element left open', POST.replace('</p>', ''), `${POST_FILE}:10: expected </p> to close this <p>`],
    [
      'crossed elements',
      POST.replace('First', '<em><strong>First</em></strong>'),
      `${POST_FILE}:10: expected </strong> before </em>`,
    ],
    [
      'an element of no article',
      POST.replace('First', '<marquee>First</marquee>'),
      `${POST_FILE}:10: expected an editorial element, not <marquee>`,
    ],
    [
      'presentation in attributes',
      POST.replace('<p>', '<p style="color: red">'),
      `${POST_FILE}:10: expected no style attribute on <p>`,
    ],
    [
      'a bare less-than sign',
      POST.replace('First', 'a < b'),
      `${POST_FILE}:10: expected a whole tag, or &lt; for the character itself`,
    ],
    [
      'a picture of another post',
      POST.replace('calm-ledgers-1', 'other-1'),
      `${POST_FILE}:11: expected src="/figures/calm-ledgers-1.jpg", not "/figures/other-1.jpg"`,
    ],
    [
      'an unknown author',
      POST.replace('ada-quill', 'nobody'),
      `${POST_FILE}: expected an author of authors.json, not "nobody"`,
    ],
    [
      'an unknown sub-category',
      POST.replace('commerce', 'gossip'),
      `${POST_FILE}: expected a sub-category of taxonomy.json, not "gossip"`,
    ],
  ])('names file, line and expectation for %s', (_, post, problem) => {
    expect(problemsWith({ [POST_FILE]: post })).toContain(problem);
  });

  it('names a folder that is no category', () => {
    expect(problemsWith({ 'posts/gossip/other.html': POST.replace('calm-ledgers-1', 'other-1') })).toEqual([
      'posts/gossip/other.html: expected its folder to be a category of taxonomy.json',
    ]);
  });

  it('names a slug that two posts have', () => {
    const problems = problemsWith({
      'taxonomy.json': FILES['taxonomy.json'].replace(
        '{"slug":"news"',
        '{"slug":"featured","name":"F"},{"slug":"news"',
      ),
      'posts/featured/calm-ledgers.html': POST,
    });
    expect(problems).toContain('posts: the slug "calm-ledgers" is used twice: expected one');
  });

  it('names the place in a JSON file where something is missing', () => {
    expect(problemsWith({ 'events.json': '[{"slug":"summit"}]' })).toContainEqual(
      expect.stringMatching(/^events\.json: at 0\.title: expected /),
    );
  });

  it('names a file that is not JSON', () => {
    expect(problemsWith({ 'events.json': '[' })).toContainEqual(
      expect.stringMatching(/^events\.json: expected JSON/),
    );
  });

  it('tells all mistakes at once', () => {
    const problems = problemsWith({ [POST_FILE]: POST.replace('at: 08:30', 'at: 8').replace('</p>', '') });
    expect(problems).toHaveLength(2);
  });
});

describe('the content that comes with the demo CMS', () => {
  it('has no mistakes', () => {
    expect(() => loadContent()).not.toThrow();
  });

  it('links only to posts that it has', () => {
    const { posts } = loadContent();
    const addresses = new Set(posts.map(({ category, slug }) => `/${category}/${slug}`));
    const links = posts.flatMap(({ slug, bodyHtml }) =>
      [...bodyHtml.matchAll(/<a href="(\/[^"]*)"/g)].map(([, href]) => ({ in: slug, href })),
    );
    expect(links.filter(({ href }) => !addresses.has(String(href)))).toEqual([]);
    const slugs = new Set(posts.map(({ slug }) => slug));
    const pictures = posts.flatMap(({ bodyHtml }) => [...bodyHtml.matchAll(/"\/posts\/([^"]*)\.jpg"/g)]);
    expect(pictures.filter(([, slug]) => !slugs.has(String(slug)))).toEqual([]);
  });
});

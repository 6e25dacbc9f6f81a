import { describe, expect, it } from 'vitest';
import { element, longXmlDocument, xmlDocument } from './xml.ts';

describe('xmlDocument', () => {
  it('escapes text and attributes, and leaves out what XML forbids', () => {
    const title = 'A < B & "C" \u0000\u000b\ufffe]]>';
    const text = xmlDocument(element('item', [element('title', title)], { href: `?a=1&b='2'` }));
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<item href="?a=1&amp;b=&apos;2&apos;"><title>A &lt; B &amp; &quot;C&quot; ]]&gt;</title></item>\n',
    );
  });

  it('writes an element without content as an empty one', () => {
    expect(xmlDocument(element('a', [], { href: 'x' }))).toContain('<a href="x"/>');
  });
});

describe('longXmlDocument', () => {
  it.each([0, 1, 1_234])('writes what xmlDocument writes, with %i children', async (count) => {
    const titles = Array.from({ length: count }, (_, index) => `Größe & ${index}`);
    const attributes = { xmlns: 'https://example.com/?a&b' };
    const childOf = (title: string) => element('item', [element('title', title)]);
    const long = await longXmlDocument('list', attributes, titles, childOf);
    expect(long).toBe(xmlDocument(element('list', titles.map(childOf), attributes)));
  });
});

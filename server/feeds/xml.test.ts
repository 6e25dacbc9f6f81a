import { describe, expect, it } from 'vitest';
import { element, xmlDocument } from './xml.ts';

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

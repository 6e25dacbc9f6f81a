import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPath, splitTarget } from './canonical-path.ts';
import { encodeSegment } from './urls.ts';

/** Spellings of a character: canonical, and percent-encoded in lower and upper case. */
function spellings(character: string): fc.Arbitrary<string> {
  const bytes = [...new TextEncoder().encode(character)];
  const escaped = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return fc.constantFrom(encodeURIComponent(character), escaped, escaped.toUpperCase());
}

const SEGMENT = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .map((text) => text.toWellFormed())
  .filter((text) => !/[\p{Cc}\p{Noncharacter_Code_Point}]|^[.%]/u.test(text))
  .chain((text) =>
    fc.tuple(...[...text].map(spellings)).map((characters) => ({ text, spelled: characters.join('') })),
  );

describe('canonicalPath', () => {
  it('is the same for every spelling, starts with one slash, and is idempotent', () => {
    const segments = fc.array(SEGMENT, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(segments, fc.constantFrom('', '/'), (given, end) => {
        const canonical = `/${given.map(({ text }) => encodeSegment(text)).join('/')}`;
        expect(canonicalPath(`/${given.map(({ spelled }) => spelled).join('/')}${end}`)).toBe(canonical);
        expect(canonicalPath(canonical)).toBe(canonical);
        expect(canonical).toMatch(/^\/(?![/\\])/);
      }),
    );
  });

  it('is for any text a path of this origin without dot segments, or null', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('/', '\\', '.', '..', '%2e', '%2F', '%5c', '%252e', 'a', '@', ':'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (path) => {
        const canonical = canonicalPath(path);
        if (canonical === null) return;
        expect(canonicalPath(canonical)).toBe(canonical);
        const url = new URL(canonical, 'https://www.example.com');
        expect(url.href).toBe(`https://www.example.com${canonical}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['', 'not a path'],
    ['*', 'not a path'],
    ['//x', 'an empty segment'],
    ['/a//b', 'an empty segment'],
    ['///', 'an empty segment'],
    ['/%', 'a broken escape'],
    ['/%C0%AE', 'no UTF-8'],
    ['/%ED%A0%80', 'a surrogate'],
    ['/%EF%BF%BE', 'no character'],
    ['/a%00', 'a control character'],
    ['/a%C2%85', 'a control character'],
  ])('is null for %j: %s', (path) => {
    expect(canonicalPath(path)).toBeNull();
  });

  it('keeps composed and decomposed letters apart', () => {
    expect(canonicalPath('/caf%C3%A9')).not.toBe(canonicalPath('/cafe%CC%81'));
  });
});

it('splitTarget keeps the query unchanged, with its question mark', () => {
  expect(splitTarget('/a?b=1?c')).toEqual(['/a', '?b=1?c']);
  expect(splitTarget('/a?')).toEqual(['/a', '?']);
  expect(splitTarget('/a')).toEqual(['/a', '']);
});

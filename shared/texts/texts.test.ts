import { expect, it } from 'vitest';
import { de } from './de.ts';
import * as en from './en.ts';
import { textsOf } from './languages.ts';
import { countText, translator } from './translate.ts';

const placeholdersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
const german = { language: 'de', texts: textsOf('de') };
const english = { language: 'en', texts: null };

it('no English text stands twice: it would have two translations', () => {
  const texts = Object.values(en);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

it('a translation fills what the English text fills, and has forms and names where that has them', () => {
  for (const [text, own] of Object.entries(textsOf('de') ?? {})) {
    expect(placeholdersOf(text), own).toEqual(expect.arrayContaining(placeholdersOf(own)));
    expect(own.startsWith('one:'), own).toBe(text.startsWith('one:'));
  }
  expect([de.monthNames, de.shortMonthNames, de.dayNames].map((names) => names.split(' ').length)).toEqual([
    12, 12, 7,
  ]);
});

it('takes the texts of a language by the first part of its tag, and English where there are none', () => {
  expect(textsOf('de-AT')?.[en.seeMore]).toBe('Mehr');
  expect(textsOf('en-GB')).toBeNull();
  expect(textsOf('constructor')).toBeNull();
  expect(translator({ texts: textsOf('fr') })(en.seeMore)).toBe('See More');
});

it('chooses the form for a number and writes the number as the language does', () => {
  expect(countText(en.resultCount, 1, german)).toBe('1 Beitrag');
  expect(countText(en.resultCount, 1234, german)).toBe('1.234 Beiträge');
  expect(countText(en.resultCount, 1, english)).toBe('1 piece');
  expect(countText(en.resultCount, 0, english)).toBe('0 pieces');
});

it('has the forms of a language with more than two, by plural category', () => {
  const polish = {
    language: 'pl',
    texts: { x: 'one:{count} tekst|few:{count} teksty|many:{count} tekstów' },
  };
  expect([1, 3, 5].map((count) => countText('x', count, polish))).toEqual([
    '1 tekst',
    '3 teksty',
    '5 tekstów',
  ]);
});

it('leaves a text without a translation as it is, and a value that looks like a placeholder', () => {
  const t = translator(german);
  expect(t('Nobody has translated this.')).toBe('Nobody has translated this.');
  expect(t(en.byAuthor, { author: '{author} $& |' })).toBe('Von {author} $& |');
});

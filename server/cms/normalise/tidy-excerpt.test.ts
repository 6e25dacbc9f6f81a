import { describe, expect, it } from 'vitest';
import { repeatsBeginning, tidyExcerpt } from './tidy-excerpt.ts';

describe('tidyExcerpt', () => {
  it.each([
    ['The vendor says so. […]', 'The vendor says so.…'],
    ['The vendor says […] Continue reading “A title” →', 'The vendor says…'],
    ['The vendor says so... Read more »', 'The vendor says so…'],
    ['The vendor says so. Continue reading →', 'The vendor says so.'],
    ['The vendor says so. [Read more]', 'The vendor says so.'],
    ['Der Anbieter sagt […] Weiterlesen →', 'Der Anbieter sagt…'],
    ['They waited... read on, and bought nothing.', 'They waited... read on, and bought nothing.'],
    ['Sie wollen… Mehr lesen, weniger scrollen.', 'Sie wollen… Mehr lesen, weniger scrollen.'],
    ['Der Verlag will… Weiterlesen sollen alle.', 'Der Verlag will… Weiterlesen sollen alle.'],
    ['Der Anbieter sagt … Weiterlesen: Ein Titel', 'Der Anbieter sagt…'],
    ['The text. [gallery ids="1,2', 'The text.'],
    ['Prices [in EUR, unit = 1000 for', 'Prices [in EUR, unit = 1000 for'],
    ['Executives read more reports than they act on.', 'Executives read more reports than they act on.'],
    ['[vc_row css=".x{}"][vc_column]The text.[/vc_column][/vc_row]', 'The text.'],
    ['[caption id="a" width="300"]A chart[/caption] The text.', 'A chart The text.'],
    ['[gallery ids="1,2"] The text.', 'The text.'],
    ['[note]The text.[/note]', 'The text.'],
    ['“We was [sic] robbed”, he said.', '“We was [sic] robbed”, he said.'],
    ['Fish &amp; chips &#8217; &hellip;', 'Fish & chips ’ …'],
    ['[vc_row]', null],
    ['a & b; c', 'a & b; c'],
  ])('makes %j %j', (text, expected) => {
    expect(tidyExcerpt(text)).toBe(expected);
  });
});

describe('repeatsBeginning', () => {
  const body =
    'Summary Model makers wanted 40 years of articles on refrigeration for a lump sum, and got one chapter. More.';

  it.each([
    ['Model makers wanted 40 years of articles on refrigeration for a lump sum, and got…', true],
    ['Summary: model makers', true],
    ['Summary Model makers wanted 40 years of articles on refrigeration for a lump sum. Year 2025', true],
    ['Model makers wanted', false],
    ['Model makers paid for 40 years of articles on refrigeration, and got one chapter of them all.', false],
  ])('of %j is %s', (text, expected) => {
    expect(repeatsBeginning(text, body)).toBe(expected);
  });

  it.each([
    ['Summary. Model makers wanted 40 years of articles on refrigeration for a lump sum, and got…', true],
    [
      'Summary. Model makers got 40 years of articles on refrigeration for a lump sum, and wanted more.',
      false,
    ],
    [`最初の段落は短い。${'二番目の段落は長い。'.repeat(20)}`, true],
  ])('takes no account of buttons and captions that %j lacks', (text, expected) => {
    const body =
      'Listen now. Summary A shelf of the archive Model makers wanted 40 years of articles A refrigerator on refrigeration for a lump sum, and got one chapter.';
    const japanese = `写真一 最初の段落は短い。写真二 ${'二番目の段落は長い。'.repeat(30)}`;
    expect(repeatsBeginning(text, `${body} ${japanese}`)).toBe(expected);
  });

  it('takes no account of how a letter with a mark is encoded', () => {
    expect(repeatsBeginning('Caf\u00e9s close', 'Cafe\u0301s close early.')).toBe(true);
  });
});

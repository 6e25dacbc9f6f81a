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

  it('takes no account of how a letter with a mark is encoded', () => {
    expect(repeatsBeginning('Caf\u00e9s close', 'Cafe\u0301s close early.')).toBe(true);
  });
});

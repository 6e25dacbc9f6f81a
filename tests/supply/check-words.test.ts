import { describe, expect, it } from 'vitest';
import { complaints, replacedWords } from './check-words.ts';
import { namesIn, wordsOf } from './declared-names.ts';

const RULES = [
  { old: /\bdraw(s|n|ing)?\b/, better: 'render' },
  { old: /(?<!\b(in|single) )\bflights?\b/, better: 'single-flight' },
  { old: /\bstor(y|ies)\b/, better: 'scenario', only: /^tests\// },
];

const words = (file: string, text: string) => replacedWords(file, text, RULES).map(({ word }) => word);
const names = (file: string, text: string) => namesIn(file, text).map(({ name, line }) => `${line} ${name}`);

describe('the words of a name', () => {
  it.each([
    ['drawPage', 'draw page'],
    ['MAX_IN_FLIGHT', 'max in flight'],
    ['CMSAnswer', 'cms answer'],
    ['top-block__title', 'top block title'],
    ['#peers2', 'peers2'],
    ['inFlight', 'in flight'],
  ])('of %s are %s', (name, expected) => expect(wordsOf(name)).toBe(expected));
});

describe('the names in a file', () => {
  it('are its own and what it declares, each with the line where it is first declared', () => {
    const text = [
      'import gone, { kept, old as renamed } from "./other.ts";',
      'interface Shape<Inner> { side: number; turn(by: Inner): void }',
      'type Alias = { [key: string]: Shape<string> };',
      'function first({ a, b: c = 1, ...rest }: Alias, [d]: string[]) {}',
      'class Thing { #hidden = 1; constructor(readonly given: number) {} get size() { return 1 } }',
      'const made = { property: 1, method() {}, "quoted": 2, a };',
      'for (const [each] of []) try { each } catch (problem) {}',
      'const arrow = (parameter: (inner: number) => void) => made.property;',
      'export { made as exported };',
    ].join('\n');
    expect(names('a/the-file.test.ts', text)).toEqual([
      '1 the-file',
      '1 gone',
      '1 renamed',
      '2 Shape',
      '2 Inner',
      '2 side',
      '2 turn',
      '2 by',
      '3 Alias',
      '4 first',
      '4 a',
      '4 c',
      '4 rest',
      '4 d',
      '5 Thing',
      '5 hidden',
      '5 constructor',
      '5 given',
      '5 size',
      '6 made',
      '6 property',
      '6 method',
      '7 each',
      '7 problem',
      '8 arrow',
      '8 parameter',
      '8 inner',
      '9 exported',
    ]);
  });

  it('are not those of comments, strings, and of others', () => {
    const text = '// drawn\nconst a = "drawn"; a.drawn; b({ drawn }); import { drawn } from "elsewhere";';
    expect(words('a.ts', text)).toEqual([]);
  });

  it('are the classes, properties and keyframes of a style sheet', () => {
    const text =
      '/* .old */\n.card-title:hover, a.on { --gap: 1.5rem; }\n@keyframes fade { to { opacity: .5 } }';
    expect(names('b/page.css', text)).toEqual(['1 page', '2 card-title', '2 on', '2 --gap', '3 fade']);
  });

  it('are its own alone where it is neither', () => {
    expect(names('demo/some-picture.svg', '<svg class="drawn"/>')).toEqual(['1 some-picture']);
  });
});

describe('a replaced word', () => {
  it('is found in any form, and not within another word or a term', () => {
    const text =
      'const drawPage = 1, isDrawn = 2, withdrawn = 3, inFlight = 4, singleFlight = 5, flights = 6;';
    expect(words('a.ts', text)).toEqual(['draw', 'drawn', 'flights']);
  });

  it('is one only in the files where it has the meaning that is replaced', () => {
    expect(words('client/a.ts', 'let story;')).toEqual([]);
    expect(words('tests/a.ts', 'let story;')).toEqual(['story']);
  });

  it('is told with its place, its name and the better word', () => {
    const found = replacedWords('a/drawing.ts', '\nlet drawPage;', RULES);
    expect(complaints(found, [])).toEqual([
      'a/drawing.ts:1 drawing: drawing -> render',
      'a/drawing.ts:2 drawPage: draw -> render',
    ]);
  });

  it('is allowed in the files that the list names', () => {
    const found = ['a/b.ts', 'c/d.ts'].flatMap((file) => replacedWords(file, 'let draw;', RULES));
    const allowed = [{ word: 'draw', within: 'a/', reason: 'a canvas' }];
    expect(complaints(found, allowed)).toEqual(['c/d.ts:1 draw: draw -> render']);
  });

  it('that is allowed and not there is told as well', () => {
    const allowed = [{ word: 'draw', within: 'a/', reason: 'a canvas' }];
    expect(complaints([], allowed)).toEqual([
      'tests/supply/glossary.ts: "draw" is allowed in a/ and not there',
    ]);
  });
});

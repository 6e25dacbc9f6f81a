import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Highlight } from './highlight.tsx';

const highlighted = (text: string, words: string) =>
  renderToStaticMarkup(createElement(Highlight, { text, words }));

describe('Highlight', () => {
  it('marks every search word, whatever its case', () => {
    expect(highlighted('Consent is not consent twice', 'CONSENT twice')).toBe(
      '<mark>Consent</mark> is not <mark>consent</mark> <mark>twice</mark>',
    );
  });

  it('leaves a text without the words as it is', () => {
    expect(highlighted('Nothing here', 'consent')).toBe('Nothing here');
    expect(highlighted('Nothing here', '  a ')).toBe('Nothing here');
  });

  it('takes the words literally', () => {
    expect(highlighted('Costs (net) .*', '(net) .*')).toBe('Costs <mark>(net)</mark> <mark>.*</mark>');
    expect(highlighted('A {1,} [b] ^c$ d|e f\\g', '{1,} [b] ^c$ d|e f\\g')).toBe(
      'A <mark>{1,}</mark> <mark>[b]</mark> <mark>^c$</mark> <mark>d|e</mark> <mark>f\\g</mark>',
    );
  });

  it('marks words beside letters that are longer in lower case', () => {
    expect(highlighted('İzmir in Straße', 'straße')).toBe('İzmir in <mark>Straße</mark>');
  });
});

import { describe, expect, it } from 'vitest';
import { highlightParts } from './highlight-parts.ts';

const marked = (text: string, words: string) =>
  highlightParts(text, words)
    .map(({ part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

describe('highlightParts', () => {
  it('highlights every search word, whatever its case', () => {
    expect(marked('Consent is not consent twice', 'CONSENT twice')).toBe(
      '[Consent] is not [consent] [twice]',
    );
  });

  it('leaves a text without the words as it is', () => {
    expect(marked('Nothing here', 'consent')).toBe('Nothing here');
    expect(marked('Nothing here', '  a ')).toBe('Nothing here');
  });

  it('takes the words literally', () => {
    expect(marked('Costs (net) .*', '(net) .*')).toBe('Costs [(net)] [.*]');
  });
});

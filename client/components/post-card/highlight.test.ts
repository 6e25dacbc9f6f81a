import { describe, expect, it } from 'vitest';
import { highlightParts } from './highlight.tsx';

const highlighted = (text: string, words: string) =>
  highlightParts(text, words)
    .map(({ part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

describe('highlightParts', () => {
  it('highlights every search word, whatever its case', () => {
    expect(highlighted('Consent is not consent twice', 'CONSENT twice')).toBe(
      '[Consent] is not [consent] [twice]',
    );
  });

  it('leaves a text without the words as it is', () => {
    expect(highlighted('Nothing here', 'consent')).toBe('Nothing here');
    expect(highlighted('Nothing here', '  a ')).toBe('Nothing here');
  });

  it('takes the words literally', () => {
    expect(highlighted('Costs (net) .*', '(net) .*')).toBe('Costs [(net)] [.*]');
  });
});

import { describe, expect, it } from 'vitest';
import { writeState } from './hydration-data.ts';

const state = (loaderData: Record<string, unknown>) =>
  writeState({ origin: 'https://www.example.com', loaderData, error: null });

describe('writeState', () => {
  it('escapes what would end the script element', () => {
    const title = '</script><script>alert(1)</script><!--\u2028\u2029';
    const written = state({ article: { title } });
    expect(written).not.toContain('<');
    expect(JSON.parse(written).loaderData.article.title).toBe(title);
  });

  it('leaves out the HTML that the markup already holds', () => {
    const written = JSON.parse(
      state({ article: { bodyHtml: '<p>long</p>', title: 'x' }, event: { descriptionHtml: '<p>' } }),
    );
    expect(written.loaderData).toEqual({
      article: { bodyHtml: '', title: 'x' },
      event: { descriptionHtml: '' },
    });
  });
});

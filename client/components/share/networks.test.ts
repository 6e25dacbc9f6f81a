import { describe, expect, it } from 'vitest';
import { DEFAULT_WINDOW, networks, shareUrl } from './networks.ts';

const shared = { url: 'https://www.example.com/news/a-b?x=1&y=2', title: 'Costs & “benefits”' };

describe('networks', () => {
  it('carries the page’s URL in each share link but Instagram’s, which takes none', () => {
    for (const network of networks.filter(({ name }) => name !== 'Instagram')) {
      expect(decodeURIComponent(shareUrl(network, shared)), network.name).toContain(shared.url);
    }
  });

  it('gives share windows the specified sizes', () => {
    const sizes = Object.fromEntries(
      networks.map(({ name, window }) => [name, (window ?? DEFAULT_WINDOW).join('x')]),
    );
    expect(sizes).toMatchObject({
      Weibo: '660x550',
      WhatsApp: '550x400',
      Workplace: '550x400',
      Instagram: '600x400',
      Facebook: '550x400',
    });
  });
});

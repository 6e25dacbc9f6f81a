import { describe, expect, it } from 'vitest';
import { networks, shareUrl } from './networks.ts';

const shared = { url: 'https://www.example.com/news/a-b?x=1&y=2', title: 'Costs & “benefits”' };

describe('networks', () => {
  it('carries the page’s URL in each share link but Instagram’s, which takes none', () => {
    for (const network of networks.filter(({ name }) => name !== 'Instagram')) {
      expect(decodeURIComponent(shareUrl(network, shared)), network.name).toContain(shared.url);
    }
  });
});

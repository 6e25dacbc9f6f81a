import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawEvent } from './families/events.ts';
import { drawFigure } from './families/figures.ts';
import { SECTION_FAMILIES } from './families/sections.ts';
import { createPictureSource } from './picture.ts';
import { drawPortrait } from './portrait.ts';
import { createRandom, type Random, seedOf } from './random.ts';
import { svgOf } from './raster.ts';

const WORDS = {
  advertiser: 'Harbour & Pike',
  headline: 'Consent <that> lasts',
  line: 'For forty markets.',
  callToAction: 'Read on',
};

const source = createPictureSource({
  posts: [
    { slug: 'first-story', category: 'news', figures: 2 },
    { slug: 'second-story', category: 'news', figures: 0 },
    { slug: 'odd-story', category: 'no-such-section', figures: 0 },
  ],
  authors: [{ key: 'ines-halloran' }, { key: 'somebody-new' }],
  events: [{ slug: 'spring-summit' }],
  advertisements: [
    { key: 'tower', slot: 'Post-1', ...WORDS },
    { key: 'box', slot: 'Home-2', ...WORDS },
    { key: 'strip', slot: 'Footer-3', ...WORDS },
  ],
});

async function rendered(
  path: string,
  width: number,
  format: 'avif' | 'webp' | 'jpeg' = 'webp',
): Promise<Buffer> {
  const picture = await source.render({ path, width, format });
  if (!picture) throw new Error(`no picture at ${path}`);
  return picture;
}

describe('the picture source', () => {
  it('gives the same bytes for the same path', async () => {
    const [first, second] = [
      await rendered('/posts/first-story.jpg', 300),
      await rendered('/posts/first-story.jpg', 300),
    ];
    expect(first.equals(second)).toBe(true);
  });

  it('gives another picture for another path', async () => {
    const [first, second] = [
      await rendered('/posts/first-story.jpg', 300),
      await rendered('/posts/second-story.jpg', 300),
    ];
    expect(first.equals(second)).toBe(false);
  });

  it.each([
    ['/posts/first-story.jpg', 600, 400],
    ['/posts/odd-story.jpg', 300, 200],
    ['/figures/first-story-2.jpg', 640, 360],
    ['/authors/ines-halloran.jpg', 96, 96],
    ['/authors/somebody-new.jpg', 96, 96],
    ['/events/spring-summit.jpg', 320, 180],
    ['/ads/tower.jpg', 600, 750],
    ['/ads/box.jpg', 600, 500],
    ['/ads/strip.jpg', 1456, 180],
  ])('draws %s at %i by %i', async (path, width, height) => {
    const metadata = await sharp(await rendered(path, width)).metadata();
    expect([metadata.width, metadata.height]).toEqual([width, height]);
  });

  it.each([
    ['avif', 'heif'],
    ['webp', 'webp'],
    ['jpeg', 'jpeg'],
  ] as const)('answers in the asked format %s', async (format, kind) => {
    const metadata = await sharp(await rendered('/authors/ines-halloran.jpg', 120, format)).metadata();
    expect(metadata.format).toBe(kind);
  });

  it('holds the width between 1 and 1600 pixels', async () => {
    const metadata = await sharp(await rendered('/ads/strip.jpg', 9000, 'jpeg')).metadata();
    expect(metadata.width).toBe(1600);
  });

  it.each([
    '/posts/unknown.jpg',
    '/figures/first-story-3.jpg',
    '/figures/second-story-1.jpg',
    '/posts/first-story',
    '/',
    '/authors/__proto__.jpg',
  ])('has nothing at %s', async (path) => {
    expect(await source.render({ path, width: 100, format: 'webp' })).toBeNull();
  });
});

const families = {
  ...SECTION_FAMILIES,
  events: drawEvent,
  figures: (random: Random) => drawFigure(random, 'podcasts'),
  portraits: (random: Random) => drawPortrait('unknown', random),
};

describe.each(Object.entries(families))('the family %s', (name, family) => {
  it('draws whole numbers and known values for fifty seeds', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      expect(svgOf(family(createRandom(seedOf(`${name} ${seed}`))), 1200)).not.toMatch(
        /NaN|undefined|Infinity|null/,
      );
    }
  });

  it('draws another picture from another seed', () => {
    const drawn = new Set(Array.from({ length: 20 }, (_, seed) => family(createRandom(seed)).markup));
    expect(drawn.size).toBe(20);
  });
});

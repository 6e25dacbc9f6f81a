import { type AdvertisementText, drawAdvertisement } from './advertisement.ts';
import type { Scene } from './drawing.ts';
import { drawEvent } from './families/events.ts';
import { drawFigure } from './families/figures.ts';
import { familyOf } from './families/sections.ts';
import { drawPortrait } from './portrait.ts';
import { createRandom, type Random, seedOf } from './random.ts';
import { type PictureFormat, rasterise } from './raster.ts';

/** What there is to make pictures of. */
export interface PictureContent {
  posts: readonly { slug: string; category: string; figures: number }[];
  authors: readonly { key: string }[];
  events: readonly { slug: string }[];
  advertisements: readonly AdvertisementText[];
}

export interface PictureRequest {
  /** As in the content: `/posts/<slug>.jpg`, `/figures/<slug>-<n>.jpg` (n from 1), `/authors/<key>.jpg`, `/events/<slug>.jpg`, `/ads/<key>.jpg`. */
  path: string;
  /** Pixels; rounded, and held between 1 and 1600. */
  width: number;
  format: PictureFormat;
}

export interface PictureSource {
  /** The picture as an image file, or null for a path that the content does not have. The same request always gives the same bytes. */
  render(request: PictureRequest): Promise<Buffer | null>;
}

type Draw = (random: Random) => Scene;

const WIDEST = 1600;

/** Draws the demo newsroom's pictures; every picture follows from its path alone. */
export function createPictureSource(content: PictureContent): PictureSource {
  const known = drawingsOf(content);
  return {
    async render({ path, width, format }) {
      const draw = known.get(path);
      if (!draw) return null;
      const pixels = Math.min(WIDEST, Math.max(1, Math.round(width) || WIDEST));
      return rasterise(draw(createRandom(seedOf(path))), pixels, format);
    },
  };
}

function drawingsOf({ posts, authors, events, advertisements }: PictureContent): Map<string, Draw> {
  const known = new Map<string, Draw>();
  for (const { slug, category, figures } of posts) {
    known.set(`/posts/${slug}.jpg`, familyOf(category));
    for (let n = 1; n <= figures; n += 1) {
      known.set(`/figures/${slug}-${n}.jpg`, (random) => drawFigure(random, category));
    }
  }
  for (const { key } of authors) known.set(`/authors/${key}.jpg`, (random) => drawPortrait(key, random));
  for (const { slug } of events) known.set(`/events/${slug}.jpg`, drawEvent);
  for (const words of advertisements)
    known.set(`/ads/${words.key}.jpg`, (random) => drawAdvertisement(words, random));
  return known;
}

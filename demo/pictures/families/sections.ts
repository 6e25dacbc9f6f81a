import type { Scene } from '../drawing.ts';
import type { Random } from '../random.ts';
import { drawFeatured } from './featured.ts';
import { drawFutureReady } from './future-ready.ts';
import { drawGuestAuthor } from './guest-author.ts';
import { drawInterview } from './interview.ts';
import { drawLearningCenter } from './learning-center.ts';
import { drawNews } from './news.ts';
import { drawPodcasts } from './podcasts.ts';
import { drawQuickbytes } from './quickbytes.ts';

/** One picture of a family; the same random numbers give the same picture. */
export type Family = (random: Random) => Scene;

/** The family of pictures of each section, by its slug. Every scene is 1200 by 800. */
export const SECTION_FAMILIES: Readonly<Record<string, Family>> = {
  news: drawNews,
  quickbytes: drawQuickbytes,
  podcasts: drawPodcasts,
  interview: drawInterview,
  'future-ready': drawFutureReady,
  'guest-author': drawGuestAuthor,
  featured: drawFeatured,
  'learning-center': drawLearningCenter,
};

/** The family of a section; features stand in for a section without one of its own. */
export function familyOf(section: string): Family {
  return SECTION_FAMILIES[section] ?? drawFeatured;
}

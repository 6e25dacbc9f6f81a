import type { Random } from './random.ts';

export const PAPER = '#f6f1e7';
export const INK = '#17171c';
export const VERMILION = '#d9421f';
export const APRICOT = '#eeb68c';

/** The quiet tint of each section, as six-digit hex. */
const SECTION_TINTS: Readonly<Record<string, string>> = {
  news: '#4f6f8a',
  quickbytes: '#b8873a',
  podcasts: '#75506c',
  interview: '#3f7d7a',
  'future-ready': '#5a6198',
  'guest-author': '#8b7f4a',
  featured: '#2f665c',
  'learning-center': '#7c6a58',
  events: '#9a5b4f',
  figures: '#5b7080',
};

const NEUTRAL_TINT = '#6d6a64';

/** Two light kinds of ground and two dark ones. */
export type Ground = 'paper' | 'wash' | 'deep' | 'ink';

/** The colours of one picture. All are six-digit hex. */
export interface Scheme {
  dark: boolean;
  ground: string;
  /** The strongest contrast to the ground. */
  figure: string;
  tint: string;
  accent: string;
  /** A warm light, between accent and paper. */
  glow: string;
  /** From the ground (0) through the tint (0.5) to the figure (1). */
  tone(at: number): string;
}

/** Mixes two six-digit hex colours; `share` of the second, 0 to 1. */
export function mix(first: string, second: string, share: number): string {
  const channel = (from: number): string => {
    const a = Number.parseInt(first.slice(from, from + 2), 16);
    const b = Number.parseInt(second.slice(from, from + 2), 16);
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** The quiet tint of a section; a neutral one for a section it does not know. */
export function tintOf(section: string): string {
  return SECTION_TINTS[section] ?? NEUTRAL_TINT;
}

/** The scheme of a section on the given kind of ground. */
export function schemeOn(ground: Ground, section: string): Scheme {
  const tint = tintOf(section);
  const base = groundColour(ground, tint);
  const dark = ground === 'deep' || ground === 'ink';
  const figure = dark ? PAPER : INK;
  return {
    dark,
    ground: base,
    figure,
    tint,
    accent: dark ? mix(VERMILION, '#ff6a3c', 0.35) : VERMILION,
    glow: APRICOT,
    tone: (at) => (at < 0.5 ? mix(base, tint, at * 2) : mix(tint, figure, at * 2 - 1)),
  };
}

/** One of the listed grounds, by chance; a ground listed twice comes twice as often. */
export function pickScheme(random: Random, section: string, grounds: readonly Ground[]): Scheme {
  return schemeOn(random.pick(grounds), section);
}

function groundColour(ground: Ground, tint: string): string {
  if (ground === 'paper') return PAPER;
  if (ground === 'wash') return mix(PAPER, tint, 0.24);
  if (ground === 'deep') return mix(INK, tint, 0.42);
  return mix(INK, tint, 0.1);
}

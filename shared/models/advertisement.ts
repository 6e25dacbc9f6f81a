/** The three places an advertisement can stand in. */
export const AD_SLOTS = ['Post-1', 'Home-2', 'Footer-3'] as const;
export type AdSlot = (typeof AD_SLOTS)[number];

/** One banner of a rotation. */
export interface Advertisement {
  slot: AdSlot;
  /** Address of the picture without its width. */
  image: string;
  name: string;
  /** `http:` or `https:`, else null. */
  href: string | null;
  /** How long it shows before the next one. */
  seconds: number;
}

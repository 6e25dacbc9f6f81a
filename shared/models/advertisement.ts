/** The three advertisement slots. */
export const AD_SLOTS = ['Post-1', 'Home-2', 'Footer-3'] as const;
export type AdSlot = (typeof AD_SLOTS)[number];

/** One advertisement of a slot's rotation. */
export interface Advertisement {
  slot: AdSlot;
  /** URL of the image without its width. */
  image: string;
  name: string;
  /** `http:` or `https:`, else null. */
  href: string | null;
  /** Seconds until the next one shows. */
  seconds: number;
}

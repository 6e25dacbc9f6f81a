/** What one reader's browser measured on one document. Times in milliseconds; null where nothing was measured. */
export interface WebVitals {
  /** The template of the page's path, as `/topic/:category`. */
  route: string;
  width: 'narrow' | 'wide';
  /** Largest contentful paint. */
  lcp: number | null;
  /** The longest interaction, to the next paint. */
  inp: number | null;
  /** Cumulative layout shift, without a unit. */
  cls: number;
  /** Scripts that the server did not have, as after a deploy. */
  failedChunks: number;
}

/** One document in so many is measured. */
export const WEB_VITALS_SAMPLE = 0.1;

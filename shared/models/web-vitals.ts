/** The Web Vitals of one document, as its browser measured them. Times in milliseconds; null where nothing was measured. */
export interface WebVitals {
  /** The template of the page's path, as `/topic/:category`. */
  route: string;
  /** Of the window. */
  width: 'narrow' | 'wide';
  /** Largest Contentful Paint. */
  lcp: number | null;
  /** Interaction to Next Paint: the longest interaction of the document. */
  inp: number | null;
  /** Cumulative Layout Shift, without a unit; null where the browser does not measure it. */
  cls: number | null;
  /** Scripts that the server did not have, as after a deploy. */
  failedChunks: number;
}

/** The share of documents that is measured. */
export const WEB_VITALS_SAMPLE = 0.1;

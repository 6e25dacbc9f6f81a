import { z } from 'zod';

/** Longer than any reader waits: a larger value comes from a broken clock. */
const MAX_MS = 600_000;
/** Milliseconds; null where nothing was measured. */
const Milliseconds = z.number().min(0).max(MAX_MS).nullable();

/** The Web Vitals of one document, as its browser measured them. */
export const WebVitals = z.object({
  /** The template of the page's path, as `/topic/:category`. */
  route: z.string().max(50),
  /** Of the window. */
  width: z.enum(['narrow', 'wide']),
  /** Largest Contentful Paint. */
  lcp: Milliseconds,
  /** Interaction to Next Paint: the longest interaction of the document. */
  inp: Milliseconds,
  /** Cumulative Layout Shift, without a unit; null where the browser does not measure it. */
  cls: z.number().min(0).max(100).nullable(),
  /** Scripts that the server did not have, as after a deploy. */
  failedChunks: z.int().min(0).max(100),
});

export type WebVitals = z.infer<typeof WebVitals>;

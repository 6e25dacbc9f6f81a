import { z } from 'zod';

/** The three advertisement slots. */
export const AD_SLOTS = ['Post-1', 'Home-2', 'Footer-3'] as const;

/** One advertisement of a slot's rotation. */
export const Advertisement = z
  .object({
    slot: z.enum(AD_SLOTS),
    /** URL of the image without its width. */
    image: z.string(),
    name: z.string(),
    /** `http:` or `https:`, else null. */
    href: z.string().nullable(),
    /** Asked for once when the advertisement has been seen; absent where the upstream counts nothing. */
    pixelUrl: z.url().optional(),
    /** Seconds until the next one shows. */
    seconds: z.number(),
  })
  .meta({ id: 'Advertisement' });

export type AdSlot = (typeof AD_SLOTS)[number];
export type Advertisement = z.infer<typeof Advertisement>;

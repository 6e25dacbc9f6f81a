import { z } from 'zod';

/** A page of the publisher's own. */
export const OwnPage = z
  .object({
    /** Its path without the slash. */
    name: z.string(),
    title: z.string(),
    description: z.string(),
    /** A day, in ISO 8601. */
    date: z.string().nullable(),
    /** HTML that the server has sanitized by its allow-list. */
    bodyHtml: z.string(),
  })
  .meta({ id: 'OwnPage' });

export type OwnPage = z.infer<typeof OwnPage>;

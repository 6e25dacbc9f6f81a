import { z } from 'zod';

/** A page in Markdown: of the publisher's own, or the privacy policy. */
export const OwnPage = z
  .object({
    /** Its path without the slash. */
    name: z.string(),
    title: z.string(),
    description: z.string(),
    /** Text below the title. */
    deck: z.string().nullable(),
    /** Links to its headings, with a heading of their own; null for a page without. */
    contents: z
      .object({ title: z.string(), entries: z.array(z.object({ id: z.string(), text: z.string() })) })
      .nullable(),
    /** HTML that the server has sanitized by its allow-list. */
    bodyHtml: z.string(),
  })
  .meta({ id: 'OwnPage' });

export type OwnPage = z.infer<typeof OwnPage>;

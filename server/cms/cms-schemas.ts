import { z } from 'zod';

/** Text: strings and finite numbers pass, anything else, also a missing field, is null. */
export const cmsText = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
  });

function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  const isNumeric = typeof value === 'string' && /^\s{0,9}-?\d{1,15}(\.\d{1,9})?\s{0,9}$/.test(value);
  const number = isNumeric ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A number, a numeric string or a flag; anything else is null. */
export const cmsNumber = z.unknown().optional().transform(numberOf);

/** A required count: a whole number from 0. */
export const cmsCount = z
  .unknown()
  .transform(numberOf)
  .pipe(z.number().min(0).max(Number.MAX_SAFE_INTEGER))
  .transform((count) => Math.floor(count));

/** Schemas of the upstream's entities (specification, section 3): any field may be missing or of another type. */

export const cmsPost = z.object({
  id: cmsText,
  cat_slug: cmsText,
  post_name: cmsText,
  post_title: cmsText,
  post_content: cmsText,
  p_content: cmsText,
  post_author: cmsText,
  post_author_id: cmsText,
  post_date: cmsText,
  /** Not of the specification: when the post was changed last, where a CMS says so. */
  updated_at: cmsText,
  sponsor: cmsText,
  author_url: cmsText,
  meta_description: cmsText,
  meta_keywords: cmsText,
  banner_img: cmsText,
  banner_show: cmsNumber,
  podcast_link: cmsText,
  reading_time: cmsText,
});
export type CmsPost = z.infer<typeof cmsPost>;

export const cmsAuthor = z.object({
  author_name: cmsText,
  author_display_name: cmsText,
  author_description: cmsText,
  author_photo: cmsText,
  // Not in the specification: used where an upstream sends it.
  author_url: cmsText,
});
export type CmsAuthor = z.infer<typeof cmsAuthor>;

export const cmsAdvertisement = z.object({
  banner_type: cmsText,
  banner_img: cmsText,
  banner_name: cmsText,
  dest_url: cmsText,
  duration_time: cmsNumber,
  // Not in the specification: used where an upstream sends it.
  pixel_url: cmsText,
});
export type CmsAdvertisement = z.infer<typeof cmsAdvertisement>;

export const cmsCategory = z.object({ cat_slug: cmsText, cat_name: cmsText });
export type CmsCategory = z.infer<typeof cmsCategory>;

export const cmsSubcategory = z.object({ subcat_slug: cmsText, subcat_name: cmsText });
export type CmsSubcategory = z.infer<typeof cmsSubcategory>;

export const cmsEvent = z.object({
  event_id: cmsText,
  event_title: cmsText,
  event_slug: cmsText,
  event_banner: cmsText,
  event_location: cmsText,
  event_date: cmsText,
  // Not in the specification: used where an upstream sends it.
  event_end_date: cmsText,
  event_desc: cmsText,
  event_link: cmsText,
  podcast_link: cmsText,
});
export type CmsEvent = z.infer<typeof cmsEvent>;

/** The shapes around the upstream's lists (specification, sections 5 and 7). Their items are checked one by one. */

const list = z.array(z.unknown());
/** One of several named lists: empty where it is missing or broken, so that the others still count. */
const listAmongOthers = list.catch([]);

/** Several named lists. Where none of them is a list the response has another shape, and must replace no cached entry. */
function lists<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.preprocess((given) => (hasList(given, names) ? given : null), z.object(shape));
}

function hasList(given: unknown, names: readonly string[]): boolean {
  if (typeof given !== 'object' || given === null) return false;
  return Object.entries(given).some(([name, value]) => names.includes(name) && Array.isArray(value));
}

const pagination = z.object({ totalItems: cmsCount, totalPages: cmsCount });

export const listResponse = list;
export const resultResponse = z.object({ result: list }).transform(({ result }) => result);
export const latestPostResponse = lists({ newsData: listAmongOthers, quickByteData: listAmongOthers });
export const leadershipResponse = lists({
  podcastData: listAmongOthers,
  inteviewData: listAmongOthers,
  guestPostData: listAmongOthers,
});
export const featuredResponse = lists({ articleData: listAmongOthers, learningData: listAmongOthers });
export const tagResponse = z.object({
  // A tag without posts has no list at all.
  posts: z.object({
    news: listAmongOthers,
    featured: listAmongOthers,
    quickbytes: listAmongOthers,
    podcasts: listAmongOthers,
    interview: listAmongOthers,
    futureready: listAmongOthers,
    guestauthor: listAmongOthers,
    learningcenter: listAmongOthers,
  }),
});
export const topicResponse = z.object({ posts: z.object({ postData: list, pagination }) });
export const searchResponse = z.object({
  success: z.literal(true),
  result: z.object({
    postData: list,
    pagination: pagination.nullable().catch(null),
  }),
});
export const eventsResponse = z.object({
  responseData: z.object({
    eventData: list,
    pagination: z.object({ totalPages: cmsCount }).catch({ totalPages: 1 }),
  }),
});
export const eventResponse = z.object({ eventData: list }).transform(({ eventData }) => eventData);

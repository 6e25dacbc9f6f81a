import { z } from 'zod';
import { cmsCount } from './cms-values.ts';

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

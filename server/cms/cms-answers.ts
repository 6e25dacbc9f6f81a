import { z } from 'zod';
import { cmsCount } from './cms-values.ts';

/** The shapes around the upstream's lists (specification, sections 5 and 7). Their items are checked one by one. */

const list = z.array(z.unknown());
/** A named list of several: one that is missing or broken is empty, the others still count. */
const listAmongOthers = list.catch([]);
const pagination = z.object({ totalItems: cmsCount, totalPages: cmsCount });

export const postListAnswer = list;
export const resultAnswer = z.object({ result: list });
export const latestPostAnswer = z.object({ newsData: listAmongOthers, quickByteData: listAmongOthers });
export const leadershipAnswer = z.object({
  podcastData: listAmongOthers,
  inteviewData: listAmongOthers,
  guestPostData: listAmongOthers,
});
export const featuredAnswer = z.object({ articleData: listAmongOthers, learningData: listAmongOthers });
export const tagAnswer = z.object({
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
export const topicAnswer = z.object({ posts: z.object({ postData: list, pagination }) });
export const searchAnswer = z.object({
  success: z.literal(true),
  result: z.object({
    postData: list,
    pagination: pagination.nullable().catch(null),
  }),
});
export const eventsAnswer = z.object({
  responseData: z.object({
    eventData: list,
    pagination: z.object({ totalPages: cmsCount }).catch({ totalPages: 1 }),
  }),
});
export const eventAnswer = z.object({ eventData: list });

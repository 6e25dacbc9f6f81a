import type { ViewCounter } from './view-counter.ts';
import { isCountableView, type SeenRequest } from './view-filter.ts';

/** An event's page and its data. */
const EVENT = /^(?:\/api)?\/events\/./;

/** What the request for a page, or for its data, means for the count of views. */
export interface PageViews {
  /** The specification asks for the reader's address before an event. */
  before(target: string, ip: string): void;
  /** Once the answer has gone: counts a view of the post that it showed, if it was a reader's own. */
  after(postId: string | null, seen: SeenRequest, ip: string): void;
}

export function createPageViews(views: Pick<ViewCounter, 'count' | 'prepare'>): PageViews {
  return {
    before(target, ip) {
      if (EVENT.test(target)) views.prepare(ip);
    },
    after(postId, seen, ip) {
      if (postId !== null && isCountableView(seen)) views.count({ postId, ip });
    },
  };
}

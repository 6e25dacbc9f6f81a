import { renderArticleBody } from '#server/article-body/render-article-body.ts';
import type { EventDetail, EventSummary } from '#shared/models/event.ts';
import type { CmsEvent } from './cms-schemas.ts';
import { normaliseDate } from './normalise-date.ts';
import type { ImageResolver } from './normalise-image.ts';
import { normaliseLink } from './normalise-link.ts';
import { plainText, slugOf } from './normalise-text.ts';
import { normaliseVideo } from './normalise-video.ts';
import { isLeftOut, type LeftOut, leftOut } from './read-list.ts';

/** A card of the event list. Left out without a slug or a title; its slug stands in for a missing id. */
export function normaliseEvent(event: CmsEvent, imageOf: ImageResolver): EventSummary | LeftOut {
  const slug = slugOf(event.event_slug);
  const title = plainText(event.event_title);
  if (slug === null) return leftOut('no slug');
  if (title === null) return leftOut('no title');
  return {
    id: slugOf(event.event_id) ?? slug,
    slug,
    title,
    banner: imageOf(event.event_banner),
    location: plainText(event.event_location),
    date: normaliseDate(event.event_date),
    description: plainText(event.event_desc) ?? '',
  };
}

/** An event in full. `slug` is the one it was asked by: it stands in for a missing one. `onReduced`: as for an article. */
export function normaliseEventDetail(
  event: CmsEvent,
  slug: string,
  imageOf: ImageResolver,
  onReduced: (reason: string) => void,
): EventDetail | LeftOut {
  const summary = normaliseEvent({ ...event, event_slug: event.event_slug?.trim() || slug }, imageOf);
  if (isLeftOut(summary)) return summary;
  const { description, ...common } = summary;
  const { html, reduced } = renderArticleBody(event.event_desc ?? '', { imageOf });
  if (reduced !== null) onReduced(reduced);
  return {
    ...common,
    descriptionHtml: html,
    summary: description,
    link: normaliseLink(event.event_link),
    video: normaliseVideo(event.podcast_link),
  };
}

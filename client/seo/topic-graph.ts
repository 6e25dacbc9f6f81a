import type { Thing } from 'schema-dts';
import type { TagPage } from '#shared/models/tag.ts';
import type { TopicPage } from '#shared/models/topic.ts';
import { capitalised, tagPath, topicPath } from '#shared/urls.ts';
import { breadcrumbs } from './breadcrumbs.ts';

/** Returns the breadcrumbs of a topic. */
export function topicGraph({ category, subcategory }: TopicPage, origin: string): Thing[] {
  const steps = [{ name: capitalised(category), path: topicPath(category) }];
  if (subcategory !== null)
    steps.push({ name: capitalised(subcategory), path: topicPath(category, subcategory) });
  return [breadcrumbs(origin, steps)];
}

/** Returns the breadcrumbs of a tag page; nothing for a tag that the upstream does not know. */
export function tagGraph({ subcategory, isKnown }: TagPage, origin: string): Thing[] {
  if (!isKnown) return [];
  return [breadcrumbs(origin, [{ name: capitalised(subcategory), path: tagPath(subcategory) }])];
}

import type { ItemList, Thing } from 'schema-dts';
import type { PostSummary } from '#shared/models/post.ts';
import type { TagPage } from '#shared/models/tag.ts';
import type { TopicPage } from '#shared/models/topic.ts';
import { articlePath, capitalised, tagPath, topicPath } from '#shared/urls.ts';
import { breadcrumbs } from './breadcrumbs.ts';

/** A topic: the way to it, and the posts on this page of it. */
export function topicGraph({ category, subcategory, posts }: TopicPage, origin: string): Thing[] {
  const way = breadcrumbs(origin, [
    { name: capitalised(category), path: topicPath(category) },
    ...(subcategory === null ? [] : [{ name: subcategory, path: topicPath(category, subcategory) }]),
  ]);
  return [way, postList(posts, origin)];
}

/** A sub-category across all sections: the way to it. */
export function tagGraph({ subcategory }: TagPage, origin: string): Thing[] {
  return [breadcrumbs(origin, [{ name: capitalised(subcategory), path: tagPath(subcategory) }])];
}

function postList(posts: readonly PostSummary[], origin: string): ItemList {
  return {
    '@type': 'ItemList',
    itemListElement: posts.map((post, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: post.title,
      url: new URL(articlePath(post), origin).href,
    })),
  };
}

/** The site's own addresses. Every link of the site is built here, so that none is encoded twice or not at all. */

/** One encoded path segment. `.` and `..` are escaped too: browsers would otherwise resolve them away. */
function segment(value: string): string {
  const encoded = encodeURIComponent(value);
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

function withPage(path: string, page: number): string {
  return page > 1 ? `${path}?page=${page}` : path;
}

export function articlePath(post: { category: string; slug: string }): string {
  return `/${segment(post.category)}/${segment(post.slug)}`;
}

export function topicPath(category: string, subcategory: string | null = null, page = 1): string {
  const path =
    subcategory === null
      ? `/topic/${segment(category)}`
      : `/topic/${segment(category)}/${segment(subcategory)}`;
  return withPage(path, page);
}

export function tagPath(subcategory: string): string {
  return `/tag/${segment(subcategory)}`;
}

export function searchPath(category: string, term: string, page = 1): string {
  return withPage(`/search/${segment(category)}/${segment(term)}`, page);
}

export function eventPath(slug: string): string {
  return `/events/${segment(slug)}`;
}

export function eventsPath(tab: string, page = 1): string {
  const query = new URLSearchParams();
  if (tab !== 'all') query.set('tab', tab);
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `/events?${query}` : '/events';
}

/** The address of a picture at a width in CSS pixels (specification, section 7: the image host takes `?width=`). */
export function imageUrl(image: string, width: number): string {
  return `${image}${image.includes('?') ? '&' : '?'}width=${width}`;
}

/** A `srcset` of one picture at several widths. */
export function imageSrcSet(image: string, widths: readonly number[]): string {
  return widths.map((width) => `${imageUrl(image, width)} ${width}w`).join(', ');
}

/** The page number of a query: anything that is no positive integer is page 1. */
export function pageNumber(value: string | null | undefined): number {
  if (!value || !/^[0-9]{1,7}$/.test(value)) return 1;
  return Math.max(1, Number(value));
}

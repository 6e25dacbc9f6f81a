/** The route of all pages; which of them a target means is told by `routeLabel`. */
export const PAGES_ROUTE = '/*';

/** The pages of the specification, section 2, whose whole path is one word. */
const SINGLE = new Set([
  'about',
  'privacy-policy',
  'opt-out-form',
  'contact-us',
  'subscribe',
  'sitemap',
  'no-posts',
]);

/** The first words of pages with more: how many segments they may have, and what they are called then. */
const FIRST: Readonly<Record<string, readonly (string | undefined)[]>> = {
  tag: [undefined, undefined, '/tag/:subcategory'],
  topic: [undefined, undefined, '/topic/:category', '/topic/:category/:subcategory'],
  events: [undefined, '/events', '/events/:slug'],
  search: [undefined, undefined, undefined, '/search/:category/:term'],
};

/** The template of a page's path, out of a small fixed set: what readers type must not make labels of metrics. */
export function routeLabel(target: string): string {
  const [path = '/'] = target.split('?', 1);
  const segments = path.split('/', 5).slice(1);
  if (segments.at(-1) === '') segments.pop();
  const [first] = segments;
  if (first === undefined) return '/';
  const named = Object.hasOwn(FIRST, first) ? FIRST[first] : undefined;
  if (named) return named[segments.length] ?? 'not-found';
  if (segments.length === 1) return SINGLE.has(first) ? `/${first}` : 'not-found';
  return segments.length === 2 ? '/:category/:slug' : 'not-found';
}

const PAGE_ROUTES: ReadonlySet<string> = new Set([
  '/',
  '/:category/:slug',
  'not-found',
  ...[...SINGLE].map((word) => `/${word}`),
  ...Object.values(FIRST).flatMap((templates) => templates.filter((template) => template !== undefined)),
]);

/** Whether a route's template is one of a page, and not of an asset, a feed or a call. */
export function isPageRoute(template: string): boolean {
  return PAGE_ROUTES.has(template);
}

/** The route of all pages in Fastify; `routeLabel` returns which page a target is. */
export const PAGES_ROUTE = '/*';

/** Pages (specification, section 2) whose path is one segment. */
const SINGLE_SEGMENT = new Set([
  'about',
  'privacy-policy',
  'opt-out-form',
  'contact-us',
  'subscribe',
  'sitemap',
  'no-posts',
]);

/** Templates of the other pages by their first segment, at the index of their number of segments. */
const TEMPLATES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  tag: [undefined, undefined, '/tag/:subcategory'],
  topic: [undefined, undefined, '/topic/:category', '/topic/:category/:subcategory'],
  events: [undefined, '/events', '/events/:slug'],
  search: [undefined, undefined, undefined, '/search/:category/:term'],
};

/** Returns the template of a page's path. The set is small and fixed: a reader's input must not become a label. */
export function routeLabel(target: string): string {
  const [path = '/'] = target.split('?', 1);
  const segments = path.split('/', 5).slice(1);
  if (segments.at(-1) === '') segments.pop();
  const [first] = segments;
  if (first === undefined) return '/';
  const templates = Object.hasOwn(TEMPLATES, first) ? TEMPLATES[first] : undefined;
  if (templates) return templates[segments.length] ?? 'not-found';
  if (segments.length === 1) return SINGLE_SEGMENT.has(first) ? `/${first}` : 'not-found';
  return segments.length === 2 ? '/:category/:slug' : 'not-found';
}

const PAGE_ROUTES: ReadonlySet<string> = new Set([
  '/',
  '/:category/:slug',
  'not-found',
  ...[...SINGLE_SEGMENT].map((word) => `/${word}`),
  ...Object.values(TEMPLATES).flatMap((templates) => templates.filter((template) => template !== undefined)),
]);

/** Returns whether a template is that of a page, not of an asset, a feed or an API call. */
export function isPageRoute(template: string): boolean {
  return PAGE_ROUTES.has(template);
}

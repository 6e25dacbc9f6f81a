import { encodeSegment } from './urls.ts';

/**
 * Paths of the site's JSON API, by the methods of `SiteApi`, `SubmissionApi` and `ViewApi`. `:name` is a parameter. The
 * server's routes and the browser's calls are made of them.
 */

/** What all of them begin with. */
export const API_PREFIX = '/api/';

export const navigation = '/api/navigation';
export const home = '/api/home';
export const tag = '/api/tags/:subcategory';
export const topic = '/api/topics/:category';
export const subtopic = '/api/topics/:category/:subcategory';
export const article = '/api/articles/:category/:slug';
export const author = '/api/authors/:id';
export const events = '/api/events';
export const event = '/api/events/:slug';
export const search = '/api/search/:category/:term';
export const sitemap = '/api/sitemap';
export const ownPage = '/api/pages/:name';

export const subscribe = '/api/subscriptions';
export const sendContactMessage = '/api/contact-messages';
export const sendOptOut = '/api/opt-outs';

export const countView = '/api/views';
export const reportWebVitals = '/api/vitals';

/** The OpenAPI document of all of them. */
export const description = '/api/openapi.json';

/** Names of the parameters of a path. */
type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Values of the parameters of a path. */
export type ValuesOf<Path extends string> = Readonly<Record<ParameterOf<Path>, string>>;

/** Returns a path with its parameters' values, each escaped as one segment. */
export function fillPath<Path extends string>(path: Path, values: ValuesOf<Path>): string {
  const given: Readonly<Record<string, string>> = values;
  return path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(given[name] ?? ''));
}

/** Keys of responses in the response cache that are no pages; a page's key is its canonical URL. */

/** Returns the key of an API call's response. `template`: the call's path; `params` and `query`: parsed, canonical. */
export function apiKey(template: string, params: object, query: object): string {
  return `api ${template} ${JSON.stringify([params, query])}`;
}

/** Returns the key of a feed, sitemap or other text, by its canonical path. */
export function feedKey(path: string): string {
  return `feed ${path}`;
}

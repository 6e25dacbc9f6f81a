import type { HydrationState } from 'react-router';
import { SiteError } from '#shared/site-error.ts';

/**
 * Content of a document's state block: what hydration needs and the markup does not already hold.
 * Fields with safe HTML are empty in it; the browser reads them from the element that shows them.
 */
export interface HydrationData {
  origin: string;
  /** Path of the module with the site's settings; absent: the default ones. */
  site?: string;
  loaderData: HydrationState['loaderData'];
  /** Result of a form post without JavaScript, by route. */
  actionData?: HydrationState['actionData'];
  /** Error of the page at the document's address. It names no route: all unknown addresses share one document. */
  error: Pick<SiteError, 'kind' | 'message'> | null;
}

const HTML_FIELDS = new Set(['bodyHtml', 'descriptionHtml']);

/** Serializes the state as JSON that is safe inside a `<script>` element: `<` is escaped. */
export function writeState(state: HydrationData): string {
  const json = JSON.stringify(state, (key, value) => (HTML_FIELDS.has(key) ? '' : value));
  return json.replaceAll('<', '\\u003c');
}

/**
 * Reads a document's state block and fills its HTML fields from the element marked `data-rich-text`, if there is one.
 */
export function readState(document: Document): HydrationData {
  const text = document.getElementById('state')?.textContent ?? 'null';
  const richText = document.querySelector('[data-rich-text]')?.innerHTML ?? '';
  return JSON.parse(text, (key, value) => (HTML_FIELDS.has(key) ? richText : value));
}

/** Returns the router's hydration state. `route`: id of the route at the document's address, which takes the error. */
export function toHydrationState(
  { loaderData, actionData, error }: HydrationData,
  route: string,
): HydrationState {
  return {
    ...(loaderData && { loaderData }),
    ...(actionData && { actionData }),
    ...(error && { errors: { [route]: new SiteError(error.kind, error.message) } }),
  };
}

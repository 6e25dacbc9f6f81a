import type { HydrationState } from 'react-router';
import { SiteError } from '#shared/site-error.ts';
import type { FormResult } from './components/field/form-result.tsx';

/**
 * The state block of a document: what hydration needs and the markup does not already say.
 * Fields that hold safe HTML are left out; the browser takes them from the element that shows them.
 */
export interface HydrationData {
  origin: string;
  loaderData: HydrationState['loaderData'];
  /** What a form post without scripts is answered with. */
  formResult?: FormResult;
  /**
   * The page's failure, if it has one: kind and message alone. It is that of whatever page has the document's address:
   * every unknown address has the same document.
   */
  error: Pick<SiteError, 'kind' | 'message'> | null;
}

const HTML_FIELDS = new Set(['bodyHtml', 'descriptionHtml']);

/** The element that shows a page's HTML carries this attribute; a page has at most one. */
export const RICH_TEXT_ATTRIBUTE = 'data-rich-text';

/** JSON that can stand in a `<script>` element: no `<`, and none of the line ends that JavaScript adds to JSON's. */
export function writeState(state: HydrationData): string {
  const json = JSON.stringify(state, (key, value) => (HTML_FIELDS.has(key) ? '' : value));
  return json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** The state of the document that was served, its HTML fields filled from the page itself. */
export function readState(document: Document): HydrationData {
  const text = document.getElementById('state')?.textContent ?? 'null';
  const richText = document.querySelector(`[${RICH_TEXT_ATTRIBUTE}]`)?.innerHTML ?? '';
  return JSON.parse(text, (key, value) => (HTML_FIELDS.has(key) ? richText : value));
}

/** What the router starts from. `route`: the id of the page at the document's address. */
export function hydrationData({ loaderData, error }: HydrationData, route: string): HydrationState {
  return {
    ...(loaderData && { loaderData }),
    ...(error && { errors: { [route]: new SiteError(error.kind, error.message) } }),
  };
}

import { trusted } from './trusted.ts';
import './rich-text.css';

/**
 * HTML that the server has made safe. The state block does not repeat it: hydration takes it from this element,
 * which `document-state.ts` finds by its attribute. A page has at most one.
 */
export function RichText({ html }: { html: string }) {
  return <div className="rich-text" data-rich-text="" dangerouslySetInnerHTML={{ __html: trusted(html) }} />;
}

import { useMemo } from 'react';
import { trustedHtml } from './trusted-html.ts';
import './rich-text.css';

/**
 * HTML that the server has made safe. The state block does not repeat it: hydration takes it from this element,
 * which `hydration-data.ts` finds by its attribute. A page has at most one.
 */
export function RichText({ html }: { html: string }) {
  // Another object is other HTML to React, which would then draw the whole text anew, and lose the reader's place in it.
  const safe = useMemo(() => trustedHtml(html), [html]);
  return <div className="rich-text" data-rich-text="" dangerouslySetInnerHTML={{ __html: safe }} />;
}

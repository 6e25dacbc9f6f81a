import { useMemo } from 'react';
import { trustedHtml } from './trusted-html.ts';
import './rich-text.css';

/**
 * Renders HTML that the server has sanitized. The state block does not repeat it: `hydration-data.ts` reads it from this
 * element by its attribute, so a page has at most one.
 */
export function RichText({ html }: { html: string }) {
  // React compares `TrustedHTML` by identity: a new object would replace the whole text, and focus and selection with it.
  const safe = useMemo(() => trustedHtml(html), [html]);
  return (
    <div className="rich-text" dir="auto" data-rich-text="" dangerouslySetInnerHTML={{ __html: safe }} />
  );
}

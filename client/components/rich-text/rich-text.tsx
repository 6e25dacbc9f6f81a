import { useEffect, useMemo, useRef } from 'react';
import { addLoadButtons } from './load-embed.ts';
import './rich-text.css';
import './blocks.css';

/** Undefined where the browser does not enforce Trusted Types (CSP). */
const policy: { createHTML(html: string): TrustedHTML } | undefined = Reflect.get(
  globalThis,
  'trustedTypes',
)?.createPolicy('rich-text', { createHTML: (html: string) => html });

/**
 * Renders HTML that the server has sanitized. The state block does not repeat it: `hydration-data.ts` reads it from this
 * element by its attribute, so a page has at most one.
 */
export function RichText({ html }: { html: string }) {
  // React compares `TrustedHTML` by identity: a new object would replace the whole text, and focus and selection with it.
  const safe = useMemo(() => policy?.createHTML(html) ?? html, [html]);
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text.current) addLoadButtons(text.current);
  });
  return (
    <div
      ref={text}
      className="rich-text"
      dir="auto"
      data-rich-text=""
      dangerouslySetInnerHTML={{ __html: safe }}
    />
  );
}

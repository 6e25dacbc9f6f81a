import { useEffect, useMemo, useRef } from 'react';
import { addLoadButtons } from './load-embed.ts';
import './rich-text.css';
import './blocks.css';

/**
 * Renders HTML that the server has sanitized. The state block does not repeat it: `hydration-data.ts` reads it from this
 * element by its attribute, so a page has at most one.
 */
export function RichText({ html }: { html: string }) {
  // React compares `TrustedHTML` by identity: a new object would replace the whole text, and focus and selection with it.
  const safe = useMemo(() => trustedHtml(html), [html]);
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

interface Policy {
  createHTML(html: string): TrustedHTML;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

function isFactory(value: unknown): value is PolicyFactory {
  return value instanceof Object && 'createPolicy' in value;
}

const factory: unknown = Reflect.get(globalThis, 'trustedTypes');
const policy = isFactory(factory) ? factory.createPolicy('rich-text', { createHTML: (html) => html }) : null;

/** Returns the server's sanitized HTML as `TrustedHTML` where the browser enforces Trusted Types (CSP). */
export function trustedHtml(html: string): string | TrustedHTML {
  return policy ? policy.createHTML(html) : html;
}

interface Policy {
  createHTML(html: string): TrustedHTML;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

const factory: unknown = Reflect.get(globalThis, 'trustedTypes');
const policy = isFactory(factory) ? factory.createPolicy('rich-text', { createHTML: (html) => html }) : null;

/** Returns the server's sanitized HTML as `TrustedHTML` where the browser enforces Trusted Types (CSP). */
export function trustedHtml(html: string): string | TrustedHTML {
  return policy ? policy.createHTML(html) : html;
}
